import { isPromise } from "../vocabulary/promise.ts";
import { findSchemaProblem } from "./find-schema-problem.ts";

/** The part of the Standard Schema interface that Baton uses. Zod, Valibot, ArkType and others implement it. */
export interface StandardSchema<Output = unknown, Input = unknown> {
  readonly "~standard": {
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => Record<string, unknown> };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a Standard Schema says of a value: the value as it reads it, or what is wrong with it. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** Something that is wrong with a value, and where in it. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly unknown[] | undefined;
}

/** A JSON Schema, as an object. */
export type JsonSchema = { readonly [key: string]: unknown };

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  const isObject = (typeof schema === "object" && schema !== null) || typeof schema === "function";
  return isObject && "~standard" in schema;
}

/** The JSON Schema of what a Standard Schema takes, if its library can produce one. */
export function toJsonSchema(schema: StandardSchema): JsonSchema | undefined {
  return schema["~standard"].jsonSchema?.input({ target: "draft-2020-12" });
}

/** A value as its schema reads it, or what is wrong with it. */
export type ReadValue = { readonly value: unknown } | { readonly problem: string };

/** A value as a schema reads it, or how it does not fit. A Standard Schema may change the value, a JSON Schema does not. */
export async function readBySchema(value: unknown, schema: unknown): Promise<ReadValue> {
  if (!isStandardSchema(schema)) {
    const problem = findSchemaProblem(value, schema);
    return problem === undefined ? { value } : { problem };
  }
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return { value: result.value };
  return { problem: formatIssues(result.issues) };
}

/** The same for a schema in code that must answer at once. */
export function readAtOnce(value: unknown, schema: StandardSchema): ReadValue {
  const result = schema["~standard"].validate(value);
  if (!isPromise(result))
    return result.issues === undefined ? { value: result.value } : { problem: formatIssues(result.issues) };
  result.catch(() => {});
  return { problem: "the schema checks asynchronously; use checks that answer at once" };
}

function formatIssues(issues: readonly StandardIssue[]): string {
  const problems = issues.map(({ message, path }) =>
    path === undefined || path.length === 0 ? message : `${path.map(readKey).join(".")}: ${message}`,
  );
  return problems.join("; ");
}

/** A segment of a path is a key, or an object that contains it. */
function readKey(segment: unknown): string {
  return String(typeof segment === "object" && segment !== null && "key" in segment ? segment.key : segment);
}
