import { format, Validator } from "@cfworker/json-schema";
import { compileRegex } from "../regex/compile-regex.ts";

/** Describes how a value violates a JSON Schema; undefined if it is valid. */
export function findSchemaProblem(value: unknown, schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const { valid, errors } = validate(value, schema);
  if (valid) return undefined;
  // What only says that something within it is wrong says nothing new.
  const telling = errors.filter(({ error }) => !ABOUT_PARTS.test(error));
  const problems = (telling.length > 0 ? telling : errors).map(describeProblem);
  return `does not fit the schema: ${problems.join("; ")}`;
}

interface Problem {
  /** `#/order/0`, or `#` for the whole. */
  readonly instanceLocation: string;
  readonly error: string;
}

type Verdict = Pick<ReturnType<Validator["validate"]>, "valid"> & { readonly errors: readonly Problem[] };

const ABOUT_PARTS =
  /^(?:Property ".*" does not match .*schema|Items did not match .*schema|Instance does not match (?:any subschemas|every subschema)|A subschema had errors)\.$/s;

/** The validator's messages in plain words. Others are shown as they are. */
const plainWords: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^Instance type (".*") is invalid\. Expected (.*)\.$/s, "must be $2, not $1"],
  [/^Instance does not have required property "(.*)"\.$/s, "lacks '$1'"],
  [/^Instance does not match any of \[(.*)\]\.$/s, "must be one of $1"],
  [/^String does not match format "pattern (.*)"\.$/s, "must match $1"],
  [/^String does not match format "(.*)"\.$/s, "must have the format $1"],
  [/^False boolean schema\.$/, "is not known"],
];

function describeProblem({ instanceLocation, error }: Problem): string {
  const path = instanceLocation.replace(/^#\/?/, "").replaceAll("/", ".");
  const [pattern, words] = plainWords.find(([each]) => each.test(error)) ?? [];
  if (pattern === undefined || words === undefined) return path === "" ? error : `'${path}': ${error}`;
  return `${path === "" ? "it" : `'${path}'`} ${error.replace(pattern, words)}`;
}

/** No value is valid under an invalid or circular schema. */
function validate(value: unknown, schema: object): Verdict {
  try {
    return new Validator(useLinearPatterns(schema), "2020-12", false).validate(value);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { valid: false, errors: [{ instanceLocation: "#", error: `The schema cannot be used: ${why}` }] };
  }
}

const known = new WeakMap<object, object>();

/** Replaces the schema's patterns by formats that are matched in linear time, because models write the texts to match. */
function useLinearPatterns(schema: object): object {
  let judged = known.get(schema);
  if (judged === undefined) {
    judged = replaceFormats(schema) as object;
    known.set(schema, judged);
  }
  return judged;
}

/** The time of the validator's own check doubles with each letter. */
format["url"] = (text: string) => /^(?:https?|ftp):/i.test(text) && URL.canParse(text);

/** Keywords whose values are data and not schemas. */
const ofData = new Set(["enum", "const", "default", "examples"]);
/** Keywords that contain schemas by arbitrary names. */
const byName = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);

function replaceFormats(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(replaceFormats);
  if (!isObject(part)) return part;
  const parts = mapValues(part, (key, value) => {
    if (ofData.has(key)) return value;
    return byName.has(key) && isObject(value)
      ? mapValues(value, (_, named) => replaceFormats(named))
      : replaceFormats(value);
  });
  const { pattern, ...rest } = parts;
  const regex = typeof pattern === "string" ? compileRegex(pattern) : { problem: "is none" };
  if ("problem" in regex) return parts;
  const name = `pattern ${String(pattern)}`;
  format[name] ??= (text: string) => regex.test(text);
  return { ...rest, allOf: [...(Array.isArray(rest["allOf"]) ? rest["allOf"] : []), { format: name }] };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function mapValues(values: object, change: (key: string, value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(key, value)]));
}
