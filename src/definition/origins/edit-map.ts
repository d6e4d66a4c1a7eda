import { findEntry } from "../fields.ts";
import type { MapEntry, MapNode, YamlNode } from "../yaml-node.ts";

/** The same map with each of its entries as `change` gives it: one, several or none. What is not changed keeps its place in the file. */
export function changeEntries(map: MapNode, change: (entry: MapEntry) => MapEntry | readonly MapEntry[]): MapNode {
  return { ...map, entries: map.entries.flatMap(change) };
}

/** The same map with the map under `key` as `change` gives it; a value that is not a map stays as it is. */
export function changeMap(map: MapNode, key: string, change: (value: MapNode) => MapNode): MapNode {
  const found = findEntry(map, key);
  return changeEntries(map, (entry) =>
    entry === found && entry.value.kind === "map" ? { ...entry, value: change(entry.value) } : entry,
  );
}

/** Every map under the keys of a map, as `change` gives it. */
export function changeValues(map: MapNode, change: (value: YamlNode, key: string) => YamlNode): MapNode {
  return changeEntries(map, (entry) => ({ ...entry, value: change(entry.value, entry.key) }));
}

/** An entry that the file does not have, for messages placed at the entry that it stands in for. */
export function createEntry(key: string, value: string | boolean, at: Pick<MapEntry, "keySpan">): MapEntry {
  const span = at.keySpan;
  return { key, keySpan: span, value: { kind: "scalar", value, written: String(value), span } };
}

export function isNothing(node: YamlNode | undefined): boolean {
  return node === undefined || (node.kind === "scalar" && node.value === null);
}

/** Nothing, or a text that says nothing. */
export function isEmpty(node: YamlNode | undefined): boolean {
  return isNothing(node) || (node?.kind === "scalar" && node.value === "");
}
