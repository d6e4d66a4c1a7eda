import { compileRegex } from "../regex/compile-regex.ts";

type Map = Readonly<Record<string, unknown>>;

const types: readonly unknown[] = ["object", "array", "string", "number", "integer", "boolean", "null"];
/** Keywords by what stands under them. */
const ofSchemas = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const ofLists = ["allOf", "anyOf", "oneOf", "prefixItems"];
const ofOne = [
  "items",
  "contains",
  "additionalProperties",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "unevaluatedItems",
  "unevaluatedProperties",
];

/** What keeps a value from being a JSON Schema that answers can be held against; undefined where nothing does. */
export function schemaFault(schema: unknown): string | undefined {
  return asMap(schema) === undefined ? "a JSON Schema is a map" : faultIn(schema, "", schema);
}

function faultIn(schema: unknown, where: string, root: unknown): string | undefined {
  if (typeof schema === "boolean") return undefined;
  const map = asMap(schema);
  if (map === undefined) return fault(where, "must be a JSON Schema");
  const own = faultOfWords(map, where) ?? faultOfRef(map["$ref"], where, root);
  return (
    own ??
    first(listParts(map, where), (part) => ("fault" in part ? part.fault : faultIn(part.schema, part.where, root)))
  );
}

/** Keywords that take plain values. */
function faultOfWords(map: Map, where: string): string | undefined {
  const { type, required, enum: values, pattern, patternProperties } = map;
  const wrong = [type ?? []].flat().find((each) => !types.includes(each));
  if (wrong !== undefined) return `'${String(wrong)}' is not a type of JSON Schema: ${types.join(", ")}`;
  if (required !== undefined && !isTexts(required)) return fault(`${where}/required`, "must be a list of names");
  if (values !== undefined && !Array.isArray(values)) return fault(`${where}/enum`, "must be a list");
  const patterns = [
    ...(pattern === undefined ? [] : [[`${where}/pattern`, pattern] as const]),
    ...Object.keys(asMap(patternProperties) ?? {}).map((key) => [`${where}/patternProperties`, key] as const),
  ];
  return first(patterns, ([at, source]) => {
    const regex = typeof source === "string" ? compileRegex(source) : { problem: "is none" };
    return "problem" in regex
      ? fault(at, `must be a regular expression; '${String(source)}' ${regex.problem}`)
      : undefined;
  });
}

/** What is referred to must be in the schema itself: nothing is fetched. */
function faultOfRef(ref: unknown, where: string, root: unknown): string | undefined {
  if (ref === undefined || ref === "#") return undefined;
  const isText = typeof ref === "string";
  const isThere = isText && (ref.startsWith("#/") ? pointsTo(ref, root) : isNamedIn(root, ref));
  return isThere ? undefined : fault(`${where}/$ref`, `leads to '${String(ref)}', which is not in the schema`);
}

function pointsTo(ref: string, root: unknown): boolean {
  const steps = ref.slice(2).split("/");
  let at: unknown = root;
  for (const step of steps) {
    const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    at = typeof at === "object" && at !== null ? (at as Map)[key] : undefined;
  }
  return at !== undefined;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** Whether a part of the schema has this `$anchor` or `$id`. */
function isNamedIn(part: unknown, ref: string): boolean {
  if (typeof part !== "object" || part === null) return false;
  const { $anchor, $id } = part as Map;
  return `#${String($anchor)}` === ref || $id === ref || Object.values(part).some((each) => isNamedIn(each, ref));
}

type Part = { readonly schema: unknown; readonly where: string } | { readonly fault: string };

function listParts(map: Map, where: string): Part[] {
  const given = (keys: readonly string[]) => keys.filter((key) => map[key] !== undefined);
  return [
    // Older drafts have a list under `items`.
    ...given(ofOne).flatMap((key) => [map[key]].flat().map((schema) => ({ schema, where: `${where}/${key}` }))),
    ...given(ofLists).flatMap((key): Part[] => {
      const list = map[key];
      const at = `${where}/${key}`;
      if (!Array.isArray(list)) return [{ fault: fault(at, "must be a list of JSON Schemas") }];
      return list.map((schema: unknown, index) => ({ schema, where: `${at}/${index}` }));
    }),
    ...given(ofSchemas).flatMap((key): Part[] => {
      const parts = asMap(map[key]);
      const at = `${where}/${key}`;
      if (parts === undefined) return [{ fault: fault(at, "must be a map of JSON Schemas") }];
      return Object.entries(parts).map(([name, schema]) => ({ schema, where: `${at}/${name}` }));
    }),
  ];
}

function fault(where: string, what: string): string {
  return `'${where}' in the schema ${what}`;
}

function first<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function asMap(value: unknown): Map | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Map) : undefined;
}
