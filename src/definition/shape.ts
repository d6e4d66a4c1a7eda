import type { DiagnosticCode } from "../vocabulary/diagnostic.ts";
import type { Origin } from "./origins/origin.ts";
import type { Near, Reporter, Weight } from "./problem-log.ts";
import { explainSlashes, findTrailingComment } from "./slash-comments.ts";
import { placeIn, type Source, type Span } from "./source.ts";
import { describeNode, type MapEntry, toPlain, type YamlNode } from "./yaml-node.ts";

/** What a value in a file must look like: reads it, says what is wrong with it, and describes itself to editors. */
export interface Shape<Value> {
  /** The value, or undefined after reporting why there is none. */
  read(node: YamlNode, name: string, reading: Reading): Value | undefined;
  /** Completes "'name' must be …". */
  readonly wanted: string;
  readonly schema: JsonSchema;
  /** The keys that a map may have, where they are fixed. */
  readonly keys?: ReadonlySet<string>;
}

export type JsonSchema = { readonly [key: string]: unknown };

export type ValueOf<S> = S extends Shape<infer Value> ? Value : never;

export interface Reading {
  readonly source: Source;
  readonly reporter: Reporter;
  /** Ids of the crew's agents, where a file may name them: one in the place of a key stands at the wrong depth. */
  readonly agents?: ReadonlySet<string>;
  /** The other system that the file was written for. Its keys may mean nothing here. */
  readonly origin?: Origin | undefined;
}

export function reportAt(
  reading: Reading,
  code: DiagnosticCode,
  span: Span,
  message: string,
  detail?: Near | Weight,
): void {
  reading.reporter.report(code, placeIn(reading.source, span), message, detail);
}

interface Unfit {
  readonly code?: DiagnosticCode;
  /** What to do about it, where that is plain. */
  readonly hint?: string;
  readonly near?: Near | undefined;
}

/** Says that a value is not what is wanted, and what to do about it. */
export function reportUnfit(
  reading: Reading,
  node: YamlNode,
  name: string,
  wanted: string,
  { code = "wrong-type", hint = "", near }: Unfit = {},
): undefined {
  const comment =
    node.kind === "scalar" && typeof node.value === "string" ? findTrailingComment(node.value) : undefined;
  const advice = comment === undefined ? hint : `; ${explainSlashes(comment)}`;
  reportAt(reading, code, node.span, `'${name}' must be ${wanted}, got ${describeNode(node)}${advice}`, near);
  return undefined;
}

/** Says that a key stands at the wrong depth, where nobody reads it: what it was to say would be lost. */
export function reportMisplaced(reading: Reading, { key, keySpan }: MapEntry, home: string): void {
  reportAt(reading, "unknown-key", keySpan, `'${key}' belongs under ${home}`, { isError: true });
}

/** Says that a key has no effect; all such keys of a file are told in one line. */
export function reportIdle(reading: Reading, { key, keySpan }: MapEntry, why: string): void {
  reportAt(reading, "no-effect", keySpan, `'${key}' has no effect: ${why}`, {
    idle: { key, why, system: reading.origin?.name },
  });
}

/** Where in a crew's routing the key of an agent belongs, told from what stands behind it. */
export function placeOfAgentKey({ value }: MapEntry): string {
  if (value.kind === "list") return "routing.signals";
  return value.kind === "map" ? "routing.agent_behaviors" : "routing.defaults";
}

export function choice<const Option extends string>(...options: readonly Option[]): Shape<Option> {
  const wanted = options.length === 1 ? `${options[0]}` : `one of ${options.join(", ")}`;
  return {
    wanted,
    schema: { enum: options },
    read(node, name, reading) {
      const value = node.kind === "scalar" ? String(node.value) : undefined;
      const found = options.find((option) => option === value);
      const near = value === undefined ? undefined : { name: value, among: options };
      return found ?? reportUnfit(reading, node, name, wanted, { near });
    },
  };
}

export function list<Value>(item: Shape<Value>): Shape<readonly Value[]> {
  return {
    wanted: "a list",
    schema: { type: "array", items: item.schema },
    read(node, name, reading) {
      if (node.kind === "list") return node.items.flatMap((each) => item.read(each, name, reading) ?? []);
      return reportUnfit(reading, node, name, "a list", { hint: adviseList(node) });
    },
  };
}

/** How a value can be written as a list. */
function adviseList(node: YamlNode): string {
  if (node.kind === "map") return "; write [{ … }]";
  return node.kind === "scalar" && typeof node.value === "string" ? `; write [${quote(node.value)}]` : "";
}

/** A text as it can stand in a list or a map. */
export function quote(text: string): string {
  return /^[\p{L}\p{N}_./-]+( [\p{L}\p{N}_./-]+)*$/u.test(text) ? text : JSON.stringify(text);
}

/** A map whose keys are the user's own names. */
export function mapOf<Value>(item: Shape<Value>): Shape<ReadonlyMap<string, Value>> {
  return {
    wanted: "a map",
    schema: { type: "object", additionalProperties: item.schema },
    read(node, name, reading) {
      if (node.kind !== "map") {
        const hint = node.kind === "list" ? "; give each item a name: { name: … }" : "";
        return reportUnfit(reading, node, name, "a map", { hint });
      }
      const values = new Map<string, Value>();
      for (const entry of node.entries) {
        if (readKind(item) !== "list" && entry.value.kind === "list" && reading.agents?.has(entry.key)) {
          reportMisplaced(reading, entry, placeOfAgentKey(entry));
          continue;
        }
        const value = item.read(entry.value, entry.key, reading);
        if (value !== undefined) values.set(entry.key, value);
      }
      return values;
    },
  };
}

/** Either of two spellings, told apart by the kind of node, so that a message speaks of the one that was meant. */
export function spelled<Short, Long>(short: Shape<Short>, long: Shape<Long>): Shape<Short | Long> {
  const kinds = [readKind(short), readKind(long)];
  const wanted = `${short.wanted} or ${long.wanted}`;
  return {
    wanted,
    schema: { anyOf: [short.schema, long.schema] },
    ...(long.keys !== undefined && { keys: long.keys }),
    read(node, name, reading) {
      if (!kinds.includes(node.kind)) {
        const hint = kinds.includes("list") ? adviseList(node) : "";
        return reportUnfit(reading, node, name, wanted, { hint });
      }
      return (node.kind === readKind(long) ? long : short).read(node, name, reading);
    },
  };
}

/** Another reading of what a shape accepts. */
export function readAs<Given, Value>(shape: Shape<Given>, convert: (value: Given) => Value): Shape<Value> {
  const { wanted, schema } = shape;
  return {
    wanted,
    schema,
    read(node, name, reading) {
      const value = shape.read(node, name, reading);
      return value === undefined ? undefined : convert(value);
    },
  };
}

function readKind({ schema }: Shape<unknown>): YamlNode["kind"] {
  if (schema["type"] === "array") return "list";
  return schema["type"] === "object" ? "map" : "scalar";
}

/** Any data, as it is. */
export const anything: Shape<unknown> = { wanted: "anything", schema: {}, read: toPlain };
