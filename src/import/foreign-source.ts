import { readMap } from "../definition/agent-file.ts";
import { findEntry } from "../definition/fields.ts";
import { type Reporter, silentReporter } from "../definition/problem-log.ts";
import { readText } from "../definition/read-text.ts";
import { createSource, indentBySpaces, type Source } from "../definition/source.ts";
import type { MapEntry, MapNode, YamlNode } from "../definition/yaml-node.ts";
import type { Notes } from "./crew-plan.ts";
import { locateSpan, showEntry } from "./original-text.ts";

/** A file of YAML or JSON that Baton does not load itself. */
export interface ForeignSource {
  readonly file: string;
  readonly source: Source;
  readonly tree: MapNode;
}

/** Reads a file of YAML or JSON as a map; undefined after reporting why it is none. */
export function readForeign(file: string, root: string, reporter: Reporter): ForeignSource | undefined {
  const result = readText(file, root);
  if ("problem" in result) {
    reporter.report(result.problem.code, { file }, `the file ${result.problem.message}`);
    return undefined;
  }
  const source = createSource(file, result.text);
  const whole = { start: 0, end: result.text.length };
  const isTabbed = /^[ \t]*\t/m.test(result.text) && readMap(source, whole, silentReporter) === undefined;
  const tree = readMap(isTabbed ? indentBySpaces(source) : source, whole, reporter);
  return tree && { file, source, tree };
}

/** The value under exactly this key. */
export function findChild(node: YamlNode | undefined, key: string): YamlNode | undefined {
  return node?.kind === "map" ? node.entries.find((entry) => entry.key === key)?.value : undefined;
}

export function listEntries(node: YamlNode | undefined): readonly MapEntry[] {
  return node?.kind === "map" ? node.entries : [];
}

/** A text as people mean it: without space around it, and numbers as they are written. */
export function scalarText(node: YamlNode | undefined): string | undefined {
  if (node?.kind !== "scalar" || node.value === null) return undefined;
  const text = String(typeof node.value === "string" ? node.value : node.written)
    .replaceAll("\r\n", "\n")
    .trim();
  return text === "" ? undefined : text;
}

export function textAt(node: YamlNode | undefined, key: string): string | undefined {
  return scalarText(findEntry(node, key)?.value);
}

/** Names in a list, or in one text with commas. */
export function listNames(node: YamlNode | undefined): string[] {
  if (node?.kind === "list") return node.items.flatMap((item) => scalarText(item) ?? []);
  return (scalarText(node) ?? "").split(",").flatMap((name) => name.trim() || []);
}

export function scalarNumber(node: YamlNode | undefined): number | undefined {
  const value = node?.kind === "scalar" ? Number(node.value) : Number.NaN;
  return node?.kind === "scalar" && node.value !== null && node.value !== "" && Number.isFinite(value)
    ? value
    : undefined;
}

export function isTrue(node: YamlNode | undefined): boolean {
  return node?.kind === "scalar" && (node.value === true || /^(?:true|yes|on)$/i.test(String(node.value)));
}

/** One line of text, for keys that take no more. */
export function oneLine(text: string | undefined): string | undefined {
  return text?.replace(/\s+/g, " ").trim();
}

/** Notes what becomes of the entries of one file. The methods return undefined, so that a case of a switch can return them. */
export interface Noter {
  map(entry: MapEntry, is: string): undefined;
  idle(entry: MapEntry, why: string): undefined;
  decide(entry: Pick<MapEntry, "keySpan">, what: string, proposal: string): undefined;
}

export function createNoter({ source }: ForeignSource, notes: Notes): Noter {
  return {
    map(entry, is) {
      notes.mapped.push({ ...locateSpan(source, entry.keySpan), was: showEntry(entry.key, entry.value), is });
    },
    idle(entry, why) {
      notes.idle.push({ ...locateSpan(source, entry.keySpan), what: showEntry(entry.key, entry.value), why });
    },
    decide(entry, what, proposal) {
      notes.decisions.push({ ...locateSpan(source, entry.keySpan), what, proposal });
    },
  };
}
