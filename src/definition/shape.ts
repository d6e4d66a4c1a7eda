import type { DiagnosticCode } from "../diagnostic.ts";
import type { Near, Reporter } from "./problem-log.ts";
import { placeIn, type Source, type Span } from "./source.ts";
import { describeNode, toPlain, type YamlNode } from "./yaml-node.ts";

/** What a value in a file must look like: reads it, says what is wrong with it, and describes itself to editors. */
export interface Shape<Value> {
  /** The value, or undefined after reporting why there is none. */
  read(node: YamlNode, name: string, reading: Reading): Value | undefined;
  readonly schema: JsonSchema;
}

export type JsonSchema = { readonly [key: string]: unknown };

export type ValueOf<S> = S extends Shape<infer Value> ? Value : never;

export interface Reading {
  readonly source: Source;
  readonly reporter: Reporter;
}

export function reportAt(reading: Reading, code: DiagnosticCode, span: Span, message: string, near?: Near): void {
  reading.reporter.report(code, placeIn(reading.source, span), message, near);
}

/** A scalar that `parse` accepts; `wanted` completes "'name' must be …". */
function scalar<Value>(
  schema: JsonSchema,
  wanted: string,
  parse: (value: string | number | boolean) => Value | undefined,
  code: DiagnosticCode = "wrong-type",
): Shape<Value> {
  return {
    schema,
    read(node, name, reading) {
      const value = node.kind === "scalar" && node.value !== null ? parse(node.value) : undefined;
      if (value === undefined)
        reportAt(reading, code, node.span, `'${name}' must be ${wanted}, got ${describeNode(node)}`);
      return value;
    },
  };
}

export const text: Shape<string> = {
  schema: { type: "string" },
  read(node, name, reading) {
    if (node.kind === "scalar" && typeof node.value === "string") return node.value;
    const hint = node.kind === "scalar" ? "; put it in quotes" : "";
    reportAt(reading, "wrong-type", node.span, `'${name}' must be text, got ${describeNode(node)}${hint}`);
    return undefined;
  },
};

/** A regular expression, checked to be one. */
export const pattern: Shape<string> = scalar({ type: "string", format: "regex" }, "a regular expression", (value) => {
  try {
    return new RegExp(String(value), "u").source === "" ? undefined : String(value);
  } catch {
    return undefined;
  }
});

/** A name; numbers are taken as they are written, since `id: 7` reads as a name to people. */
export const word: Shape<string> = scalar({ type: ["string", "number"] }, "a name", (value) =>
  typeof value !== "boolean" && String(value).trim() !== "" ? String(value) : undefined,
);

export const textOrNumber: Shape<string | number> = scalar(
  { type: ["string", "number"] },
  "text or a number",
  (value) => (typeof value === "boolean" ? undefined : value),
);

const flagWords = new Map([
  ["on", true],
  ["yes", true],
  ["off", false],
  ["no", false],
]);

export const flag: Shape<boolean> = scalar({ enum: [true, false, ...flagWords.keys()] }, "true or false", (value) =>
  typeof value === "boolean" ? value : flagWords.get(String(value).toLowerCase()),
);

export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

export function integer(bounds: Bounds = {}): Shape<number> {
  return scalar({ type: "integer", ...limits(bounds) }, `a whole number${inWords(bounds)}`, (value) =>
    Number.isSafeInteger(value) && isWithin(Number(value), bounds) ? Number(value) : undefined,
  );
}

export function number(bounds: Bounds = {}): Shape<number> {
  return scalar({ type: "number", ...limits(bounds) }, `a number${inWords(bounds)}`, (value) =>
    typeof value === "number" && Number.isFinite(value) && isWithin(value, bounds) ? value : undefined,
  );
}

/** About thirty years: what is longer is a slip. */
const MAX_SECONDS = 1e9;

/** Seconds, perhaps fractional. */
export const seconds: Shape<number> = scalar(
  { type: "number", exclusiveMinimum: 0, maximum: MAX_SECONDS },
  "a number of seconds above 0",
  (value) =>
    typeof value === "number" && Number.isFinite(value) && value > 0 && value <= MAX_SECONDS ? value : undefined,
);

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds, or a number with a unit: `500ms`, `30s`, `5m`, `1h`; read as milliseconds. */
export const duration: Shape<number> = scalar(
  {
    anyOf: [
      { type: "number", exclusiveMinimum: 0 },
      { type: "string", pattern: "^\\d+(\\.\\d+)?(ms|s|m|h)$" },
    ],
  },
  "a duration such as 500 (milliseconds), 30s or 5m",
  (value) => {
    const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(String(value)) ?? [];
    const milliseconds = Number(amount) * (unitMs[unit ?? "ms"] ?? Number.NaN);
    return milliseconds > 0 && milliseconds <= MAX_SECONDS * 1000 ? milliseconds : undefined;
  },
  "bad-duration",
);

export function choice<const Option extends string>(...options: readonly Option[]): Shape<Option> {
  const wanted = `one of ${options.join(", ")}`;
  return {
    schema: { enum: options },
    read(node, name, reading) {
      const value = node.kind === "scalar" ? String(node.value) : undefined;
      const found = options.find((option) => option === value);
      if (found === undefined) {
        const near = value === undefined ? undefined : { name: value, among: options };
        reportAt(reading, "wrong-type", node.span, `'${name}' must be ${wanted}, got ${describeNode(node)}`, near);
      }
      return found;
    },
  };
}

export function list<Value>(item: Shape<Value>): Shape<readonly Value[]> {
  return {
    schema: { type: "array", items: item.schema },
    read(node, name, reading) {
      if (node.kind !== "list") {
        const hint = node.kind === "scalar" && typeof node.value === "string" ? `; write [${node.value}]` : "";
        reportAt(reading, "wrong-type", node.span, `'${name}' must be a list, got ${describeNode(node)}${hint}`);
        return undefined;
      }
      return node.items.flatMap((each) => item.read(each, name, reading) ?? []);
    },
  };
}

/** A map whose keys are the user's own names. */
export function mapOf<Value>(item: Shape<Value>): Shape<ReadonlyMap<string, Value>> {
  return {
    schema: { type: "object", additionalProperties: item.schema },
    read(node, name, reading) {
      if (node.kind !== "map") {
        reportAt(reading, "wrong-type", node.span, `'${name}' must be a map, got ${describeNode(node)}`);
        return undefined;
      }
      const values = new Map<string, Value>();
      for (const entry of node.entries) {
        const value = item.read(entry.value, entry.key, reading);
        if (value !== undefined) values.set(entry.key, value);
      }
      return values;
    },
  };
}

/** Either of two spellings, told apart by the kind of node, so that a message speaks of the one that was meant. */
export function spelled<Short, Long>(short: Shape<Short>, long: Shape<Long>): Shape<Short | Long> {
  const longKind = long.schema["type"] === "array" ? "list" : "map";
  return {
    schema: { anyOf: [short.schema, long.schema] },
    read: (node, name, reading) => (node.kind === longKind ? long : short).read(node, name, reading),
  };
}

/** Any data, kept as it is. */
export const anything: Shape<unknown> = { schema: {}, read: toPlain };

function isWithin(value: number, bounds: Bounds): boolean {
  return value >= (bounds.min ?? Number.NEGATIVE_INFINITY) && value <= (bounds.max ?? Number.POSITIVE_INFINITY);
}

function limits(bounds: Bounds): JsonSchema {
  return {
    ...(bounds.min === undefined ? {} : { minimum: bounds.min }),
    ...(bounds.max === undefined ? {} : { maximum: bounds.max }),
  };
}

function inWords(bounds: Bounds): string {
  if (bounds.min !== undefined && bounds.max !== undefined) return ` from ${bounds.min} to ${bounds.max}`;
  return bounds.min === undefined ? "" : ` of at least ${bounds.min}`;
}
