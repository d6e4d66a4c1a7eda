/** A JSON Schema, as far as it is a map. */
export type SchemaMap = Readonly<Record<string, unknown>>;

/** Keywords whose values hold further schemas; under all others stand values, whatever they look like. */
const SINGLE = new Set(
  "items contains additionalProperties additionalItems unevaluatedProperties unevaluatedItems propertyNames not if then else".split(
    " ",
  ),
);
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"]);
const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** A copy of a schema in which every schema is what `change` makes of it, the innermost first. */
export function mapSchemas(schema: unknown, change: (schema: SchemaMap) => SchemaMap): unknown {
  if (!isMap(schema)) return schema;
  const inner = Object.entries(schema).map(([key, value]) => {
    if (LISTS.has(key) && Array.isArray(value)) return [key, value.map((each) => mapSchemas(each, change))];
    if (MAPS.has(key) && isMap(value))
      return [key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapSchemas(each, change)]))];
    return [key, SINGLE.has(key) ? mapSchemas(value, change) : value];
  });
  return change(Object.fromEntries(inner));
}

function isMap(value: unknown): value is SchemaMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
