import {
  isAlias,
  isMap,
  isScalar,
  type Node,
  type Pair,
  parseDocument,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { explainYamlError } from "./explain-yaml-error.ts";
import type { Reporter } from "./problem-log.ts";
import { explainSlashes, findSlashComments } from "./slash-comments.ts";
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
  const base = range.start;
  const reading: Reading = { source, base, reporter };
  const text = source.text.slice(range.start, range.end);
  // The library's own check for duplicate keys takes time quadratic in their number; convertMap has its own.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: "error" });
  const errorsAt = document.errors.map(({ pos }) => pos[0]);
  const comments = errorsAt.length === 0 ? [] : findSlashComments(text, errorsAt);
  for (const { start, end } of comments) reportSlashes({ start: start + base, end: end + base }, reading);
  if (comments.length === 0) reportErrors([...document.errors, ...document.warnings], reading);
  if (document.errors.length > 0) return undefined;
  return document.contents === null ? nothingAt(range.start) : convert(document.contents, reading, 0);
}

/** One slip can make a parser stumble over all that follows: one error a line, and a few of them, say enough. */
const MAX_ERRORS = 5;

function reportErrors(errors: readonly YAMLError[], reading: Reading): void {
  const { source, base, reporter } = reading;
  const byLine = new Map(errors.map((error) => [source.position(error.pos[0] + base).line, error] as const).reverse());
  const shown = [...byLine.values()].reverse().slice(0, MAX_ERRORS);
  for (const error of shown) {
    const span = { start: error.pos[0] + base, end: error.pos[1] + base };
    if (error.code === "RESOURCE_EXHAUSTION") reportTooDeep(span, reading);
    else reporter.report("yaml-syntax", placeIn(source, span), explainYamlError(error));
  }
}

function convert(node: Node, reading: Reading, depth: number): YamlNode {
  const span = createSpan(node, reading);
  if (depth > MAX_DEPTH) {
    reportTooDeep(span, reading);
    return { kind: "scalar", value: null, written: "", span };
  }
  if (isAlias(node)) {
    const message = `aliases are not supported: write out what '*${node.source}' stands for`;
    reading.reporter.report("alias", placeIn(reading.source, span), message);
    return { kind: "scalar", value: null, written: "", span };
  }
  if (isScalar(node)) {
    const value = scalarValue(node.value, span, reading);
    return { kind: "scalar", value, written: node.source ?? String(value), span };
  }
  if (isMap(node)) return convertMap(node, span, reading, depth);
  // What is not an alias, scalar or map is a sequence: the library has no fifth kind of node.
  const items = (node as YAMLSeq<Node>).items;
  return { kind: "list", items: items.map((item) => convert(item, reading, depth + 1)), span };
}

function convertMap(map: YAMLMap, span: Span, reading: Reading, depth: number): YamlNode {
  const entries: MapEntry[] = [];
  const seen = new Set<string>();
  for (const pair of map.items as Pair<Node, Node | null>[]) {
    const keySpan = pair.key === null ? span : createSpan(pair.key, reading);
    if (!isScalar(pair.key)) {
      reading.reporter.report("wrong-type", placeIn(reading.source, keySpan), keyMessage(pair.key));
      continue;
    }
    const { value: name, source: written } = pair.key;
    if (/^\/[/*]/.test(String(name))) {
      reportSlashes(keySpan, reading);
      continue;
    }
    const key = (typeof name === "number" ? written : undefined) ?? String(name ?? "").normalize("NFC");
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

function reportSlashes(span: Span, { source, reporter }: Reading): void {
  const comment = source.text.slice(span.start, span.end);
  reporter.report("yaml-syntax", placeIn(source, span), explainSlashes(comment));
}

function reportTooDeep(span: Span, reading: Reading): void {
  reading.reporter.report("too-large", placeIn(reading.source, span), `is nested more than ${MAX_DEPTH} levels deep`);
}

function createSpan(node: Node, reading: Reading): Span {
  const [start, end] = node.range ?? [0, 0];
  return { start: start + reading.base, end: end + reading.base };
}

function nothingAt(offset: number): YamlNode {
  return { kind: "scalar", value: null, written: "", span: { start: offset, end: offset } };
}
