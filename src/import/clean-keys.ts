import type { Plain, PlainMap } from "./crew-plan.ts";

/** What a shape read, as it is written: without what is absent or empty. */
export function toWritten(value: unknown): Plain | undefined {
  if (value === undefined) return undefined;
  if (value instanceof Map) return toWritten(Object.fromEntries(value));
  if (Array.isArray(value)) return value.map((item) => toWritten(item) ?? null);
  if (typeof value !== "object" || value === null) return toScalar(value);
  const entries = Object.entries(value).flatMap(([key, each]): [string, Plain][] => {
    // A schema is taken as it stands: {} means something there.
    const written = key === "schema" ? toPlainValue(each) : toWritten(each);
    return written === undefined || isEmpty(written) ? [] : [[key, written]];
  });
  return Object.fromEntries(entries);
}

/** The keys of a map but those that say what holds without them. */
export function withoutDefaults(value: object, defaults: object): PlainMap {
  const usual = new Map<string, unknown>(Object.entries(defaults));
  const entries = Object.entries(value).filter(
    ([key, each]) => JSON.stringify(each) !== JSON.stringify(usual.get(key)),
  );
  return toMap(toWritten(Object.fromEntries(entries)));
}

/** A map without the keys that have no value. */
export function compact(map: PlainMap): PlainMap {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined && !isEmpty(value)));
}

export function toMap(value: Plain | undefined): PlainMap {
  return isMap(value) ? value : {};
}

function isMap(value: Plain | undefined): value is PlainMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toPlainValue(value: unknown): Plain | undefined {
  if (Array.isArray(value)) return value.map((item) => toPlainValue(item) ?? null);
  if (typeof value !== "object" || value === null) return value === undefined ? undefined : toScalar(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toPlainValue(each)]));
}

function toScalar(value: unknown): Plain {
  if (typeof value === "string") return value.replaceAll("\r\n", "\n");
  return typeof value === "number" || typeof value === "boolean" ? value : null;
}

function isEmpty(value: Plain): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isMap(value) && Object.keys(value).length === 0;
}
