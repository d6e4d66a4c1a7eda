import type { YamlNode } from "../yaml-node.ts";

/** A list that is written as one text, `a, b`; each of its items keeps its place. Anything else stays as it is. */
export function splitCommas(node: YamlNode): YamlNode {
  if (node.kind !== "scalar" || typeof node.value !== "string") return node;
  const items: YamlNode[] = [];
  let at = node.span.start + Math.max(0, node.written.indexOf(node.value));
  for (const part of node.value.split(",")) {
    const value = part.trim();
    const start = at + part.indexOf(value);
    if (value !== "") items.push({ kind: "scalar", value, written: value, span: { start, end: start + value.length } });
    at += part.length + 1;
  }
  return { kind: "list", items, span: node.span };
}
