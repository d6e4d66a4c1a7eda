import { basename } from "node:path";
import { findEntry } from "../fields.ts";
import { type Reading, reportAt } from "../shape.ts";
import type { MapEntry, MapNode, YamlNode } from "../yaml-node.ts";
import { changeEntries, changeMap, changeValues, createEntry } from "./edit-map.ts";
import type { Origin } from "./origin.ts";
import {
  addId,
  bookkeepingKeys,
  dropOthers,
  explainAbsent,
  readModels,
  readNames,
  scalarText,
} from "./product-keys.ts";

/** Keys that only files of Copilot and VS Code have. */
export const copilotKeys: ReadonlySet<string> = new Set([
  ...["argument-hint", "user-invocable", "user-invokable", "disable-model-invocation", "mcp-servers", "handoffs"],
  ...["target", "infer"],
]);
const alsoIdle: ReadonlySet<string> = new Set(["mode", "hooks", "applyTo", "visibility"]);

export const copilot: Origin = {
  name: "Copilot",
  isIdle: (key) => copilotKeys.has(key) || alsoIdle.has(key) || bookkeepingKeys.has(key),
  whyIdle: "for the editor, without a counterpart here",
  callsByName: true,
  // A server's tools are written server/tool there.
  nameTool: (tool, isServer) => {
    const slash = tool.indexOf("/");
    const server = slash === -1 ? tool : tool.slice(0, slash);
    return isServer(server) ? `${server}__${slash === -1 ? "*" : tool.slice(slash + 1)}` : tool;
  },
  absentTools: explainAbsent("Copilot"),
};

const readKeys: ReadonlySet<string> = new Set(["model"]);

/** An agent's file as Copilot and VS Code read it, in our keys. */
export function readCopilotAgent(tree: MapNode, reading: Reading): MapNode {
  const read = changeEntries(dropOthers(tree, readKeys, reading), (entry) => {
    if (entry.key === "tools" || entry.key === "agents") return { ...entry, value: readNames(entry.value) };
    if (entry.key === "model") return readModels(entry, reading);
    if (entry.key === "argument-hint") return { ...entry, key: "usage" };
    if (entry.key === "handoffs") return { ...entry, key: "collaborations", value: readHandoffs(entry.value) };
    return entry.key === "mcp-servers" && entry.value.kind === "map" ? [] : entry;
  });
  const served = findEntry(read, "tools") === undefined ? addServerTools(read, tree) : read;
  return addId(served, basename(reading.source.file).replace(/\.(?:agent|chatmode)?\.?md$/, ""));
}

/** A handoff is an agent with the prompt that it gets. */
function readHandoffs(handoffs: YamlNode): YamlNode {
  if (handoffs.kind !== "list") return handoffs;
  const items = handoffs.items.map((handoff) => {
    if (handoff.kind !== "map") return handoff;
    const about = findEntry(handoff, "prompt") ?? findEntry(handoff, "label");
    const entries = handoff.entries.flatMap((entry): MapEntry[] =>
      entry.key === "agent" ? [entry] : entry === about ? [{ ...entry, key: "specialty" }] : [],
    );
    return { ...handoff, entries };
  });
  return { ...handoffs, items };
}

/** Whether a person looks at handoffs before they are made, as they do unless a file says otherwise. */
export function holdsHandoffs(tree: MapNode): boolean {
  const handoffs = findEntry(tree, "handoffs")?.value;
  if (handoffs?.kind !== "list") return false;
  return handoffs.items.some((each) => {
    const send = findEntry(each, "send")?.value;
    return !(send?.kind === "scalar" && send.value === true);
  });
}

/** The MCP servers that an agent's file brings, in our keys. */
export function findCopilotServers(tree: MapNode, reading: Reading): MapNode | undefined {
  const servers = findEntry(tree, "mcp-servers")?.value;
  if (servers?.kind !== "map") return undefined;
  return changeEntries(servers, (entry) => {
    const { key, keySpan, value } = entry;
    if (value.kind !== "map") return entry;
    if (scalarText(findEntry(value, "type")?.value) !== "sse") return { ...entry, value: readServer(value) };
    const message = `the MCP server '${key}' is left out: its type sse is not supported; use its address for http, if it has one`;
    reportAt(reading, "read-as", keySpan, message);
    return [];
  });
}

function readServer(server: MapNode): MapNode {
  const kept = changeEntries(server, (entry) => {
    if (entry.key === "tools") return [];
    const isLocal = entry.key === "type" && scalarText(entry.value) === "local";
    return isLocal ? createEntry("type", "stdio", entry) : entry;
  });
  const fill = (map: MapNode) => changeValues(map, fillReference);
  return changeMap(changeMap(kept, "env", fill), "headers", fill);
}

/** `$NAME`, `${{ secrets.NAME }}` and `${env:NAME}` are `${NAME}` here. */
function fillReference(node: YamlNode): YamlNode {
  if (node.kind !== "scalar" || typeof node.value !== "string") return node;
  const value = node.value.replace(
    /\$\{\{\s*(?:secrets|vars)\.(\w+)\s*\}\}|\$\{(?:env|input):([\w-]+)\}|\$(\w+)/g,
    (_, ...names: unknown[]) => {
      const name = names.slice(0, 3).find((each) => typeof each === "string");
      return `\${${String(name).replaceAll("-", "_")}}`;
    },
  );
  return { ...node, value, written: value };
}

/** An agent that names no tools has those of its servers: what each server's entry names, or all. */
function addServerTools(read: MapNode, tree: MapNode): MapNode {
  const given = findEntry(tree, "mcp-servers");
  if (given?.value.kind !== "map") return read;
  const items = given.value.entries.flatMap(({ key, keySpan, value }) => {
    const tools = findEntry(value, "tools")?.value;
    const named = tools?.kind === "list" ? tools.items.flatMap((item) => scalarText(item) ?? []) : [];
    const names = named.length === 0 || named.includes("*") ? ["*"] : named;
    return names.map((name): YamlNode => {
      const whole = `${key}__${name}`;
      return { kind: "scalar", value: whole, written: whole, span: keySpan };
    });
  });
  const tools = { ...given, key: "tools", value: { kind: "list" as const, items, span: given.value.span } };
  return { ...read, entries: [...read.entries, tools] };
}
