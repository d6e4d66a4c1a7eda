import { format, type Schema, Validator } from "@cfworker/json-schema";
import { compileLinear, PatternProblem } from "../linear-pattern.ts";
import { mapSchemas, type SchemaMap } from "../schema-parts.ts";

/** What does not fit a JSON Schema, in words; undefined where it fits. */
export function schemaProblem(value: unknown, schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  try {
    const { valid, errors } = new Validator(linear(schema, value), "2020-12", false).validate(value);
    return valid
      ? undefined
      : `does not fit the schema: ${errors.map(({ instanceLocation, error }) => `${instanceLocation} ${inWords(error)}`).join("; ")}`;
  } catch (error) {
    // A reference that leads nowhere is found when it is followed.
    return `cannot be checked by the schema: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const schemas = new WeakMap<object, Schema>();

/** The validator runs patterns in ways that may take for ever; with formats and names in their place it runs ours. */
function linear(schema: object, value: unknown): Schema {
  const known = schemas.get(schema);
  if (known !== undefined) return known;
  let isForThis = false;
  const made = mapSchemas(schema, (part) => {
    if (part["patternProperties"] === undefined) return withFormat(part);
    isForThis = true;
    return withFormat(withNames(part, namesIn(value)));
  }) as Schema;
  if (!isForThis) schemas.set(schema, made);
  return made;
}

const PREFIX = "pattern ";

function withFormat({ pattern, ...rest }: SchemaMap): SchemaMap {
  const name = typeof pattern === "string" ? formatOf(pattern) : undefined;
  return name === undefined ? rest : { ...rest, allOf: [...asList(rest["allOf"]), { format: name }] };
}

/** Instead of patterns for names, the names that fit them, of all that a value has. */
function withNames({ patternProperties, properties, ...rest }: SchemaMap, names: ReadonlySet<string>): SchemaMap {
  const found = new Map<string, unknown[]>(Object.entries(asMap(properties)).map(([name, each]) => [name, [each]]));
  const { additionalProperties: _, unevaluatedProperties: __, ...open } = rest;
  let others: SchemaMap = rest;
  for (const [pattern, schema] of Object.entries(asMap(patternProperties))) {
    const name = formatOf(pattern);
    // Which names those are, only the tool knows.
    if (name === undefined) others = open;
    else for (const each of names) if (format[name]?.(each)) found.set(each, [...(found.get(each) ?? []), schema]);
  }
  return { ...others, properties: Object.fromEntries([...found].map(([name, allOf]) => [name, { allOf }])) };
}

function namesIn(value: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const toDo = [value];
  for (let next = toDo.pop(); next !== undefined; next = toDo.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (!Array.isArray(next)) for (const name of Object.keys(next)) names.add(name);
    for (const each of Object.values(next)) toDo.push(each);
  }
  return names;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asMap(value: unknown): SchemaMap {
  return typeof value === "object" && value !== null ? (value as SchemaMap) : {};
}

/** Undefined for one that only other engines understand: it is left to the tool whose schema it is. */
function formatOf(pattern: string): string | undefined {
  const name = `${PREFIX}${pattern}`;
  if (Object.hasOwn(format, name)) return name;
  try {
    const compiled = compileLinear(pattern);
    format[name] = (text) => compiled.test(text);
    return name;
  } catch (error) {
    if (error instanceof PatternProblem) return undefined;
    throw error;
  }
}

/** The validator's own takes more than linear time. */
format["url"] = (text) => /^(?:https?|ftp):$/.test(URL.parse(text)?.protocol ?? "");

function inWords(error: string): string {
  return error.replace(`format "${PREFIX}`, 'pattern "');
}
