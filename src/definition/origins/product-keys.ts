import { findEntry } from "../fields.ts";
import { type Reading, reportAt } from "../shape.ts";
import type { MapEntry, MapNode, YamlNode } from "../yaml-node.ts";
import { createEntry, isEmpty } from "./edit-map.ts";
import { readModelName } from "./model-names.ts";
import type { Origin } from "./origin.ts";
import { splitCommas } from "./split-commas.ts";

/** Keys that people write into the files of several products, for themselves, or for a directory of agents. */
export const bookkeepingKeys: ReadonlySet<string> = new Set([
  ...["author", "category", "categories", "type", "version", "tags", "tag", "license", "metadata", "emoji", "icon"],
  ...["color", "hidden", "dependencies", "language", "priority", "status", "created", "updated", "title", "keywords"],
  ...["examples", "source", "url", "date"],
]);

/** Says that agents of a product go without its tools, and what to do about it. */
export function explainAbsent(product: string): Origin["absentTools"] {
  return {
    code: "absent-tool",
    explain: (names) => {
      const calls = /'(?:Task|Agent|task|agent)'/.exec(names)?.[0];
      const others = calls === undefined ? "" : `; for ${calls}, name the agents to call under 'agents'`;
      return `agents of ${product} go without tools that are not there: ${names}; declare tools in a crew.yaml and servers in .mcp.json, or offer stubs by --stub-tools${others}`;
    },
  };
}

/** A list that may be one text, each item once. */
export function readNames(node: YamlNode): YamlNode {
  const list = splitCommas(node);
  if (list.kind !== "list") return list;
  const seen = new Set<unknown>();
  const items = list.items.filter((item) => {
    const value = item.kind === "scalar" ? item.value : item;
    if (seen.has(value) || value === null || value === "*" || value === "all") return false;
    seen.add(value);
    return true;
  });
  return { ...list, items };
}

/** `model`, one or several, as a chain of models; a name that says nothing here is left out, and told. */
export function readModels(entry: MapEntry, reading: Reading): MapEntry | readonly MapEntry[] {
  const named = entry.value.kind === "list" ? entry.value.items : [entry.value];
  const items = named.flatMap((node) => {
    const shown = node.kind === "scalar" && node.value !== null ? String(node.value) : "";
    const read = readModelName(shown);
    if (read === "unknown") {
      const message = `the model '${shown}' is left out: write provider/model; until then the crew's or BATON_MODEL is used`;
      reportAt(reading, "read-as", node.span, message);
    }
    return typeof read === "string"
      ? []
      : { kind: "scalar" as const, value: read.name, written: read.name, span: node.span };
  });
  return items.length === 0 ? [] : { ...entry, key: "models", value: { kind: "list", items, span: entry.value.span } };
}

/** An id out of a name for people. */
export function slugOf(name: string): string {
  const plain = name.trim().normalize("NFC");
  if (/^[\w.-]+$/.test(plain)) return plain;
  return plain
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_.-]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/** The map with an `id`, where it has none. */
export function addId(map: MapNode, id: string): MapNode {
  const [first] = map.entries;
  if (id === "" || first === undefined || !isEmpty(findEntry(map, "id")?.value)) return map;
  return { ...map, entries: [createEntry("id", id, first), ...map.entries.filter(({ key }) => key !== "id")] };
}

export function textOf(node: YamlNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}
