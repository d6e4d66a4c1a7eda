import { nearestName } from "../vocabulary/nearest-name.ts";
import {
  type JsonSchema,
  placeOfAgentKey,
  quote,
  type Reading,
  reportAt,
  reportIdle,
  reportMisplaced,
  reportUnfit,
  type Shape,
} from "./shape.ts";
import type { MapEntry, MapNode, YamlNode } from "./yaml-node.ts";

/** One key of a map with fixed keys: its shape, what it is for, and what holds when it is absent. */
export interface Field<Value> {
  readonly shape: Shape<unknown>;
  readonly about: string;
  readonly presence: "required" | "optional" | "ignored";
  /** What the absent key stands for, as it would be written. */
  readonly absent?: unknown;
  /** Carries the type of the value; holds nothing. */
  readonly value?: Value;
}

type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values by canonical key. Absent optional keys are undefined. */
export type FieldValues<F extends Fields> = {
  readonly [Key in keyof F]: F[Key] extends Field<infer Value> ? Value : never;
};

export function required<Value>(shape: Shape<Value>, about: string): Field<Value | undefined> {
  return { shape, about, presence: "required" };
}

export function optional<Value>(shape: Shape<Value>, about: string): Field<Value | undefined> {
  return { shape, about, presence: "optional" };
}

/** Takes `absent` if the key is missing or wrong, so that reading can continue. */
export function withDefault<Value>(shape: Shape<Value>, absent: Value, about: string): Field<Value> {
  return { shape, about, presence: "optional", absent };
}

/** A key of another system that is understood and does nothing here. */
export function ignored(about: string): Field<undefined> {
  return { shape: { wanted: "anything", schema: {}, read: () => undefined }, about, presence: "ignored" };
}

interface FieldsOptions {
  /** A key that is nearly one of these is an error in every mode: without it the map would say something else. */
  readonly refusesSlips?: boolean;
}

/** A map with fixed keys, each in snake_case or camelCase. */
export function fields<F extends Fields>(
  definition: F,
  { refusesSlips = false }: FieldsOptions = {},
): Shape<FieldValues<F>> & { readonly absent: FieldValues<F> } {
  const absent = Object.entries(definition).map(([key, field]) => [key, field.absent]);
  const canonical = new Map(
    Object.keys(definition).flatMap((key) => [[key, key] as const, [camelCase(key), key] as const]),
  );
  return {
    // What a map without any key reads as, by the definition of each key.
    absent: Object.fromEntries(absent) as FieldValues<F>,
    wanted: "a map",
    schema: fieldsSchema(definition),
    keys: new Set(canonical.keys()),
    read(node, name, reading) {
      if (node.kind !== "map") return reportUnfit(reading, node, name, "a map", { hint: adviseMap(node, definition) });
      const entries = collectEntries(node, canonical, definition, reading, refusesSlips);
      const values = Object.entries(definition).map(([key, field]) => [
        key,
        readField(key, field, entries.get(key), node, name, reading),
      ]);
      // Built from the definition's own keys, each read by its field's shape: this is what FieldValues says.
      return Object.fromEntries(values) as FieldValues<F>;
    },
  };
}

/** More keys than this help nobody. */
const MAX_SHOWN_KEYS = 12;

/** How a text can be written as a map, or which keys the map has. */
function adviseMap(node: YamlNode, definition: Fields): string {
  const keys = Object.keys(definition).filter((key) => definition[key]?.presence !== "ignored");
  const [required, ...others] = keys.filter((key) => definition[key]?.presence === "required");
  if (required !== undefined && others.length === 0 && node.kind === "scalar" && typeof node.value === "string")
    return `; write { ${required}: ${quote(node.value)} }`;
  return keys.length > MAX_SHOWN_KEYS ? "" : `; its keys are ${keys.join(", ")}`;
}

/** The entry of a map under `key`; only where there is none, under its other spelling. */
export function findEntry(node: YamlNode | undefined, key: string): MapEntry | undefined {
  if (node?.kind !== "map") return undefined;
  const camel = camelCase(key);
  return node.entries.find((entry) => entry.key === key) ?? node.entries.find((entry) => entry.key === camel);
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function collectEntries(
  node: MapNode,
  canonical: ReadonlyMap<string, string>,
  definition: Fields,
  reading: Reading,
  refusesSlips: boolean,
): ReadonlyMap<string, MapEntry> {
  const entries = new Map<string, MapEntry>();
  for (const entry of node.entries) {
    const key = canonical.get(entry.key);
    if (key === undefined) {
      reportUnknown(entry, definition, reading, refusesSlips);
    } else if (entries.has(key)) {
      reportAt(
        reading,
        "both-spellings",
        entry.keySpan,
        `'${key}' is given as '${camelCase(key)}' too; keep one of them`,
      );
    } else {
      entries.set(key, entry);
    }
  }
  return entries;
}

/** A file of another system has keys of its own; one that is nearly one of ours is a slip there too. */
function reportUnknown(entry: MapEntry, definition: Fields, reading: Reading, refusesSlips: boolean): void {
  const { origin } = reading;
  const names = Object.keys(definition);
  if (origin !== undefined && (origin.isIdle(entry.key) || nearestName(entry.key, names) === undefined)) {
    reportIdle(reading, entry, origin.whyIdle);
    return;
  }
  const home = findKeyHome(entry, definition, reading);
  const near = { name: entry.key, among: names, isSlip: refusesSlips };
  if (home === undefined) reportAt(reading, "unknown-key", entry.keySpan, `unknown key '${entry.key}'`, near);
  else reportMisplaced(reading, entry, home);
}

/** Where a key that is unknown here belongs: it is one of a level below, or the name of an agent. */
function findKeyHome(entry: MapEntry, definition: Fields, { agents }: Reading): string | undefined {
  if (agents?.has(entry.key)) return placeOfAgentKey(entry);
  const below = Object.keys(definition).filter((key) => definition[key]?.shape.keys?.has(entry.key));
  return below.length === 0 ? undefined : below.join(" or ");
}

function readField(
  key: string,
  field: Field<unknown>,
  entry: MapEntry | undefined,
  map: MapNode,
  name: string,
  reading: Reading,
): unknown {
  const isAbsent = entry === undefined || (entry.value.kind === "scalar" && entry.value.value === null);
  if (isAbsent) {
    if (field.presence === "required") {
      const span = entry?.keySpan ?? { start: map.span.start, end: map.span.start + 1 };
      reportAt(reading, "missing-field", span, `'${name}' needs '${key}': ${field.about}`);
    }
    return field.absent;
  }
  if (field.presence === "ignored") {
    reportIdle(reading, { ...entry, key }, field.about);
    return undefined;
  }
  return field.shape.read(entry.value, entry.key, reading) ?? field.absent;
}

/** camelCase spellings are patterns rather than properties: accepted and checked, but not offered twice by editors. */
function fieldsSchema(definition: Fields): JsonSchema {
  const properties = Object.entries(definition).map(([key, field]) => [key, propertySchema(field)] as const);
  const aliases = Object.entries(definition)
    .filter(([key]) => camelCase(key) !== key)
    .map(([key, field]) => [`^${camelCase(key)}$`, valueSchema(field)]);
  const needed = Object.keys(definition).filter((key) => definition[key]?.presence === "required");
  const plain = needed.filter((key) => camelCase(key) === key);
  const either = needed.filter((key) => camelCase(key) !== key);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(aliases.length === 0 ? {} : { patternProperties: Object.fromEntries(aliases) }),
    ...(plain.length === 0 ? {} : { required: plain }),
    ...(either.length === 0
      ? {}
      : { allOf: either.map((key) => ({ anyOf: [{ required: [key] }, { required: [camelCase(key)] }] })) }),
    additionalProperties: false,
  };
}

function propertySchema(field: Field<unknown>): JsonSchema {
  const isPlain = ["string", "number", "boolean"].includes(typeof field.absent);
  return {
    ...valueSchema(field),
    description: field.about,
    ...(isPlain ? { default: field.absent } : {}),
    ...(field.presence === "ignored" ? { deprecated: true } : {}),
  };
}

/** A key that is needed must have a value. */
function valueSchema({ shape, presence }: Field<unknown>): JsonSchema {
  return presence === "required" ? shape.schema : orNothing(shape.schema);
}

/** `tools:` with nothing behind it counts as absent. */
function orNothing(schema: JsonSchema): JsonSchema {
  const type = schema["type"];
  if (typeof type === "string") return { ...schema, type: [type, "null"] };
  if (Array.isArray(type)) return { ...schema, type: [...type, "null"] };
  if (Array.isArray(schema["enum"])) return { ...schema, enum: [...schema["enum"], null] };
  if (Array.isArray(schema["anyOf"])) return { ...schema, anyOf: [...schema["anyOf"], { type: "null" }] };
  return schema;
}
