import { isMap, isScalar, isSeq, parseDocument, type YAMLSeq } from "yaml";

/**
 * The text of a `crew.yaml` with one more agent at the end of its list `agents`. All else stays as it is, comments too. Undefined if there
 * is no such list.
 */
export function insertAgent(text: string, id: string): string | undefined {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) return undefined;
  const pair = contents.items.find(({ key }) => isScalar(key) && key.value === "agents");
  const list = pair?.value;
  if (!isSeq(list)) return undefined;
  return list.flow ? insertInFlow(text, list, id) : insertInBlock(text, list, id);
}

function insertInFlow(text: string, list: YAMLSeq, id: string): string {
  const [, valueEnd = 0] = list.range ?? [];
  const last = findEnd(list.items.at(-1));
  if (last !== undefined) return `${text.slice(0, last)}, ${id}${text.slice(last)}`;
  const close = text.lastIndexOf("]", valueEnd);
  return `${text.slice(0, close)}${id}${text.slice(close)}`;
}

function insertInBlock(text: string, list: YAMLSeq, id: string): string {
  const [start = 0] = list.range ?? [];
  const last = findEnd(list.items.at(-1)) ?? start;
  const indent = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const lineEnd = text.indexOf("\n", last);
  const at = lineEnd === -1 ? text.length : lineEnd;
  return `${text.slice(0, at)}\n${indent}- ${id}${text.slice(at)}`;
}

/** Where the value of an item ends, before the white space and comments that follow it. */
function findEnd(item: unknown): number | undefined {
  const node = item as { readonly range?: readonly number[] | null } | undefined;
  return node?.range?.[1];
}
