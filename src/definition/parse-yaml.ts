import { isAlias, isMap, isScalar, type Node, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import type { Reporter } from "./problem-log.ts";
import { placeIn, type Source, type Span } from "./source.ts";
import type { MapEntry, YamlNode } from "./yaml-node.ts";

const MAX_DEPTH = 64;

interface Reading {
  readonly source: Source;
  readonly base: number;
  readonly reporter: Reporter;
}

/** Parses the part of a source that is YAML. Reports what is wrong; returns undefined where nothing can be read. */
export function parseYaml(source: Source, range: Span, reporter: Reporter): YamlNode | undefined {
  const reading: Reading = { source, base: range.start, reporter };
  const text = source.text.slice(range.start, range.end);
  // The library's own check for duplicate keys takes time quadratic in their number; convertMap has its own.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: "error" });
  for (const error of [...document.errors, ...document.warnings]) {
    const span = { start: error.pos[0] + range.start, end: error.pos[1] + range.start };
    if (error.code === "RESOURCE_EXHAUSTION") reportTooDeep(span, reading);
    else reporter.report("yaml-syntax", placeIn(source, span), error.message);
  }
  if (document.errors.length > 0) return undefined;
  return document.contents === null ? nothingAt(range.start) : convert(document.contents, reading, 0);
}

function convert(node: Node, reading: Reading, depth: number): YamlNode {
  const span = spanOf(node, reading);
  if (depth > MAX_DEPTH) {
    reportTooDeep(span, reading);
    return { kind: "scalar", value: null, span };
  }
  if (isAlias(node)) {
    const message = `aliases are not supported: write out what '*${node.source}' stands for`;
    reading.reporter.report("alias", placeIn(reading.source, span), message);
    return { kind: "scalar", value: null, span };
  }
  if (isScalar(node)) return { kind: "scalar", value: scalarValue(node.value, span, reading), span };
  if (isMap(node)) return convertMap(node, span, reading, depth);
  // What is no alias, scalar or map is a sequence: the library has no fifth kind of node.
  const items = (node as YAMLSeq<Node | Pair>).items;
  return { kind: "list", items: items.map((item) => convertItem(item, span, reading, depth)), span };
}

/** In a flow sequence `[a: 1]` an item may be a bare pair. */
function convertItem(item: Node | Pair, listSpan: Span, reading: Reading, depth: number): YamlNode {
  if ("range" in item || isAlias(item)) return convert(item as Node, reading, depth + 1);
  return nothingAt(listSpan.start);
}

function convertMap(map: YAMLMap, span: Span, reading: Reading, depth: number): YamlNode {
  const entries: MapEntry[] = [];
  const seen = new Set<string>();
  for (const pair of map.items as Pair<Node, Node | null>[]) {
    const keySpan = pair.key === null ? span : spanOf(pair.key, reading);
    if (!isScalar(pair.key)) {
      reading.reporter.report("wrong-type", placeIn(reading.source, keySpan), keyMessage(pair.key));
      continue;
    }
    const key = String(pair.key.value ?? "");
    const value = pair.value === null ? nothingAt(keySpan.end) : convert(pair.value, reading, depth + 1);
    if (seen.has(key)) {
      reading.reporter.report(
        "duplicate-key",
        placeIn(reading.source, keySpan),
        `key '${key}' is given twice; the first one counts`,
      );
      continue;
    }
    seen.add(key);
    entries.push({ key, keySpan, value });
  }
  return { kind: "map", entries, span };
}

function keyMessage(key: Node | null): string {
  const isTemplate = key !== null && isMap(key);
  return isTemplate ? "a key must be plain text; put text with {{…}} in quotes" : "a key must be plain text";
}

function scalarValue(value: unknown, span: Span, reading: Reading): string | number | boolean | null {
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "number")
    return value;
  reading.reporter.report(
    "wrong-type",
    placeIn(reading.source, span),
    "only text, numbers, true and false are supported here",
  );
  return null;
}

function reportTooDeep(span: Span, reading: Reading): void {
  reading.reporter.report("too-large", placeIn(reading.source, span), `is nested more than ${MAX_DEPTH} levels deep`);
}

function spanOf(node: Node, reading: Reading): Span {
  const [start, end] = node.range ?? [0, 0];
  return { start: start + reading.base, end: end + reading.base };
}

function nothingAt(offset: number): YamlNode {
  return { kind: "scalar", value: null, span: { start: offset, end: offset } };
}
