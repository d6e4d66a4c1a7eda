/** Keys that a provider's strict mode understands, as those of a schema that takes no keys of its own. */
const understood: ReadonlySet<string> = new Set(
  [
    ["$schema", "title", "description", "type", "enum", "const", "$ref", "$defs", "definitions", "anyOf"],
    ["properties", "required", "additionalProperties", "items", "minItems", "maxItems"],
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern", "format"],
  ].flat(),
);
const formats: ReadonlySet<unknown> = new Set("date-time time date duration email hostname ipv4 ipv6 uuid".split(" "));

type Schema = Readonly<Record<string, unknown>>;

/**
 * The same schema for the strict mode of OpenAI, which refuses an object unless it takes no other keys and needs all of its own.
 * Undefined if strict mode cannot say what the schema says: then the schema is sent as advice, and the answer is checked as always.
 */
export function toStrictSchema(schema: unknown): Schema | undefined {
  const strict = isRecord(schema) && isRecord(schema["properties"]) ? close(schema) : undefined;
  return isRecord(strict) ? strict : undefined;
}

function close(schema: unknown): unknown {
  if (!isRecord(schema) || !Object.keys(schema).every((key) => understood.has(key))) return undefined;
  const { pattern, format, type } = schema;
  if (typeof pattern === "string" && pattern.includes("(?")) return undefined;
  if (format !== undefined && !formats.has(format)) return undefined;
  const isObject = type === "object" || isRecord(schema["properties"]);
  if (isObject && !isClosable(schema)) return undefined;
  const parts = { ...schema, ...(isObject && { additionalProperties: false }) };
  return closeEach(parts);
}

/** Whether an object needs all of its keys and may be said to take no others. */
function isClosable({ properties, required, additionalProperties }: Schema): boolean {
  if (!isRecord(properties) || (additionalProperties !== undefined && additionalProperties !== false)) return false;
  const needed: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
  return Object.keys(properties).every((key) => needed.has(key));
}

/** Closes the schemas within a schema. */
function closeEach(schema: Schema): Schema | undefined {
  const closed: Record<string, unknown> = { ...schema };
  for (const key of ["properties", "$defs", "definitions"])
    if (isRecord(schema[key])) closed[key] = closeValues(schema[key]);
  if (schema["items"] !== undefined) closed["items"] = close(schema["items"]);
  if (Array.isArray(schema["anyOf"])) {
    const options = schema["anyOf"].map(close);
    closed["anyOf"] = options.includes(undefined) ? undefined : options;
  }
  return Object.values(closed).includes(undefined) ? undefined : closed;
}

function closeValues(schemas: Schema): Schema | undefined {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, close(schema)] as const);
  return entries.some(([, schema]) => schema === undefined) ? undefined : Object.fromEntries(entries);
}

function isRecord(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
