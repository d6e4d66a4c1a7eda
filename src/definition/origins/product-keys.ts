import { agentShape } from "../agent-shape.ts";
import { findEntry } from "../fields.ts";
import { type Reading, reportAt, reportIdle } from "../shape.ts";
import type { MapEntry, MapNode, YamlNode } from "../yaml-node.ts";
import { changeEntries, createEntry, isEmpty } from "./edit-map.ts";
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

/** Keys that agents of every product may have, and that mean here what they mean there. */
const shared: ReadonlySet<string> = new Set([
  ...["id", "name", "description", "usage", "tools", "agents", "models", "reasoning"],
  ...["temperature", "top_p", "topP", "max_turns", "maxTurns"],
]);

/** Only what the product reads: any other key of ours is somebody's own there, with a meaning of its own. */
export function dropOthers(map: MapNode, known: ReadonlySet<string>, reading: Reading): MapNode {
  return changeEntries(map, (entry) => {
    const isTheirs = shared.has(entry.key) || known.has(entry.key) || !(agentShape.keys ?? shared).has(entry.key);
    if (isTheirs) return entry;
    reportIdle(reading, entry, reading.origin?.whyIdle ?? "");
    return [];
  });
}

/** Words in the place of a list that stand for everything, or for nothing in particular. */
const wholes: readonly unknown[] = [null, "*", "all", "All", "All tools", "all tools", "inherit", "none"];

/** A list that may be one text, each item once; an item may be a map with a name. */
export function readNames(node: YamlNode): YamlNode {
  const list = splitCommas(node);
  if (list.kind !== "list") return list;
  const seen = new Set<unknown>(wholes);
  const items = list.items.flatMap((item): YamlNode[] => {
    const named = item.kind === "map" ? findEntry(item, "name")?.value : item;
    if (named?.kind !== "scalar" || seen.has(named.value)) return [];
    seen.add(named.value);
    return [named];
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
export function makeSlug(name: string): string {
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

export function scalarText(node: YamlNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}
