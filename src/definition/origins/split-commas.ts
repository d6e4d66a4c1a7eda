import type { YamlNode } from "../yaml-node.ts";

/** A list that is written as one text, `a, b(c, d)`; each of its items keeps its place. Anything else stays as it is. */
export function splitCommas(node: YamlNode): YamlNode {
  if (node.kind !== "scalar" || typeof node.value !== "string") return node;
  const items: YamlNode[] = [];
  let at = node.span.start + Math.max(0, node.written.indexOf(node.value));
  for (const part of splitOutsideParentheses(node.value)) {
    const value = part.trim();
    const start = at + part.indexOf(value);
    if (value !== "") items.push({ kind: "scalar", value, written: value, span: { start, end: start + value.length } });
    at += part.length + 1;
  }
  return { kind: "list", items, span: node.span };
}

function splitOutsideParentheses(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "(") depth++;
    else if (character === ")") depth = Math.max(0, depth - 1);
    else if (character === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
