/** The smallest value that a JSON Schema plainly asks for, with words where it asks for text. */
export function sampleValue(schema: unknown, words: string, depth = 0): unknown {
  if (typeof schema !== "object" || schema === null || depth > 20) return words;
  const keys = schema as Readonly<Record<string, unknown>>;
  if ("const" in keys) return keys["const"];
  const fixed = [keys["enum"], keys["examples"]].find((each) => Array.isArray(each) && each.length > 0);
  if (Array.isArray(fixed)) return fixed[0];
  if ("default" in keys) return keys["default"];
  const choices = keys["anyOf"] ?? keys["oneOf"];
  if (Array.isArray(choices)) return sampleValue(choices[0], words, depth + 1);
  const type = Array.isArray(keys["type"]) ? keys["type"][0] : keys["type"];
  switch (type) {
    case "array":
      return Array.from({ length: Math.max(1, readNumber(keys["minItems"])) }, () =>
        sampleValue(keys["items"], words, depth + 1),
      );
    case "integer":
    case "number":
      return Math.max(
        readNumber(keys["minimum"]),
        "exclusiveMinimum" in keys ? readNumber(keys["exclusiveMinimum"]) + 1 : 0,
      );
    case "boolean":
      return true;
    case "null":
      return null;
    case "string":
      return words.padEnd(readNumber(keys["minLength"]), ".").slice(0, readNumber(keys["maxLength"]) || undefined);
    default:
      return "properties" in keys || type === "object" ? sampleObject(keys, words, depth) : words;
  }
}

function sampleObject(keys: Readonly<Record<string, unknown>>, words: string, depth: number): unknown {
  const { properties = {}, required = [] } = keys;
  if (typeof properties !== "object" || properties === null || !Array.isArray(required)) return {};
  const wanted = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(wanted.map(([name, schema]) => [name, sampleValue(schema, words, depth + 1)]));
}

function readNumber(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
