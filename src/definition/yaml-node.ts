import type { Span } from "./source.ts";

/** YAML as read: plain values with the place of each. */
export type YamlNode = ScalarNode | ListNode | MapNode;

interface ScalarNode {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** The value as it is written: `007`, which is the number 7. */
  readonly written: string;
  readonly span: Span;
}

interface ListNode {
  readonly kind: "list";
  readonly items: readonly YamlNode[];
  readonly span: Span;
}

export interface MapNode {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
  readonly span: Span;
}

export interface MapEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: YamlNode;
}

/** A tree as plain data. */
export function toPlain(node: YamlNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(toPlain);
  return Object.fromEntries(node.entries.map((entry) => [entry.key, toPlain(entry.value)]));
}

/** Whether anything is written where a list belongs. What does not fit is reported as such, so the list is not empty besides. */
export function isWritten(node: YamlNode | undefined): boolean {
  if (node === undefined) return false;
  if (node.kind === "list") return node.items.length > 0;
  return node.kind === "map" || node.value !== null;
}

/** How a value is called in a message: `text 'ten'`, `a list`, `nothing`. */
export function describeNode(node: YamlNode): string {
  if (node.kind === "list") return "a list";
  if (node.kind === "map") return "a map";
  if (node.value === null) return "nothing";
  if (typeof node.value === "string") return `text '${clip(node.value)}'`;
  return `${typeof node.value === "number" ? "the number" : "the flag"} ${node.value}`;
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
