import { format, Validator } from "@cfworker/json-schema";
import { BatonError } from "../errors.ts";
import { createMatcher, type Matcher } from "../matching/create-matcher.ts";

/** What does not fit a JSON Schema, in words; undefined where it fits. */
export function schemaProblem(value: unknown, schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const searched = new Map<string, Matcher>([["url", isUrl]]);
  const bounded = boundPatterns(schema, searched) as object;
  const { valid, errors } = withFormats(searched, () => new Validator(bounded, "2020-12", false).validate(value));
  return valid
    ? undefined
    : `does not fit the schema: ${errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join("; ")}`;
}

/** The validator's own takes a time that doubles with each letter. */
function isUrl(text: string): boolean {
  return /^(?:https?|ftp):/i.test(text) && URL.canParse(text);
}

/** What stands in a schema as it is, whatever it looks like. */
const DATA = new Set(["const", "enum", "default", "examples"]);
/** What holds schemas by names of others' choosing. */
const BY_NAME = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);

/**
 * A schema whose patterns are formats of that name: the validator hands patterns to JavaScript's own search, which some of them and
 * a text of a model keep for ever. Those that look ahead or refer back are left to it.
 */
function boundPatterns(schema: unknown, searched: Map<string, Matcher>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => boundPatterns(each, searched));
  if (typeof schema !== "object" || schema === null) return schema;
  const bounded: Record<string, unknown> = mapValues(schema, (key, each) => {
    if (DATA.has(key)) return each;
    if (!BY_NAME.has(key) || typeof each !== "object" || each === null) return boundPatterns(each, searched);
    return mapValues(each, (_, named) => boundPatterns(named, searched));
  });
  const { pattern, ...others } = bounded;
  const match = typeof pattern === "string" ? matcherOf(pattern) : undefined;
  if (match === undefined) return bounded;
  const name = `pattern ${pattern}`;
  searched.set(name, match);
  return { ...others, allOf: [...(Array.isArray(others["allOf"]) ? others["allOf"] : []), { format: name }] };
}

function mapValues(values: object, change: (key: string, value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(key, value)]));
}

function matcherOf(pattern: string): Matcher | undefined {
  try {
    return createMatcher(pattern);
  } catch (error) {
    if (error instanceof BatonError) return undefined;
    throw error;
  }
}

/** The validator knows formats by one table for everybody: it has ours as long as it is at work, which it is in one go. */
function withFormats<Result>(formats: ReadonlyMap<string, Matcher>, validate: () => Result): Result {
  const before = { ...format };
  try {
    return Object.assign(format, Object.fromEntries(formats)) && validate();
  } finally {
    for (const name of formats.keys()) delete format[name];
    Object.assign(format, before);
  }
}
