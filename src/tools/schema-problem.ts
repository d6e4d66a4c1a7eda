import { format, Validator } from "@cfworker/json-schema";
import { compileRegex } from "../regex/compile-regex.ts";

/** What does not fit a JSON Schema, in words; undefined where it fits. */
export function schemaProblem(value: unknown, schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const { valid, errors } = validate(value, schema);
  return valid
    ? undefined
    : `does not fit the schema: ${errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join("; ")}`;
}

type Verdict = Pick<ReturnType<Validator["validate"]>, "valid"> & {
  readonly errors: readonly { readonly instanceLocation: string; readonly error: string }[];
};

/** A schema that is none, or turns in a circle, fits nothing. */
function validate(value: unknown, schema: object): Verdict {
  try {
    return new Validator(linear(schema), "2020-12", false).validate(value);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { valid: false, errors: [{ instanceLocation: "#", error: `The schema cannot be used: ${why}` }] };
  }
}

const known = new WeakMap<object, object>();

/** The schema with its patterns judged in linear time, as formats of their own: what is held against them is what models write. */
function linear(schema: object): object {
  let judged = known.get(schema);
  if (judged === undefined) {
    judged = withFormats(schema) as object;
    known.set(schema, judged);
  }
  return judged;
}

/** Keywords whose values are data, and no schemas. */
const ofData = ["enum", "const", "default", "examples"];

function withFormats(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withFormats);
  if (typeof part !== "object" || part === null) return part;
  const judged = (key: string, value: unknown) => (ofData.includes(key) ? value : withFormats(value));
  const parts = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, judged(key, value)]));
  const { pattern, ...rest } = parts;
  const regex = typeof pattern === "string" ? compileRegex(pattern) : { problem: "is none" };
  if ("problem" in regex) return parts;
  const name = `pattern ${String(pattern)}`;
  format[name] ??= (text: string) => regex.test(text);
  return { ...rest, allOf: [...(Array.isArray(rest["allOf"]) ? rest["allOf"] : []), { format: name }] };
}
