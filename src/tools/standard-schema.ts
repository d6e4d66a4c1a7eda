import { findSchemaProblem } from "./find-schema-problem.ts";

/** The part of the Standard Schema interface that Baton uses. Zod, Valibot, ArkType and others implement it. */
export interface StandardSchema<Output = unknown, Input = unknown> {
  readonly "~standard": {
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => Record<string, unknown> };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] };

/** A JSON Schema, as an object. */
export type JsonSchema = { readonly [key: string]: unknown };

function isStandardSchema(schema: unknown): schema is StandardSchema {
  const isObject = (typeof schema === "object" && schema !== null) || typeof schema === "function";
  return isObject && "~standard" in schema;
}

/** The JSON Schema of what a Standard Schema takes, if its library can produce one. */
export function toJsonSchema(schema: StandardSchema): JsonSchema | undefined {
  return schema["~standard"].jsonSchema?.input({ target: "draft-2020-12" });
}

/** A value as a schema reads it, or how it does not fit. A Standard Schema may change the value, a JSON Schema does not. */
export async function readBySchema(
  value: unknown,
  schema: unknown,
): Promise<{ readonly value: unknown } | { readonly problem: string }> {
  if (!isStandardSchema(schema)) {
    const problem = findSchemaProblem(value, schema);
    return problem === undefined ? { value } : { problem };
  }
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return { value: result.value };
  const problems = result.issues.map(({ message, path }) =>
    path === undefined || path.length === 0 ? message : `${path.map(readKey).join(".")}: ${message}`,
  );
  return { problem: problems.join("; ") };
}

/** A segment of a path is a key, or an object that contains it. */
function readKey(segment: unknown): string {
  return String(typeof segment === "object" && segment !== null && "key" in segment ? segment.key : segment);
}
