import type { Reading } from "../shape.ts";
import type { MapNode, YamlNode } from "../yaml-node.ts";
import { changeEntries } from "./edit-map.ts";
import type { Origin } from "./origin.ts";
import { bookkeepingKeys, dropOthers, explainAbsent, readModels, readNames } from "./product-keys.ts";

/** Keys that only opencode's files have. */
export const opencodeKeys: ReadonlySet<string> = new Set([
  ...["permission", "permissions", "disable", "prompt", "options", "reasoningEffort", "textVerbosity"],
]);

export const opencode: Origin = {
  name: "opencode",
  isIdle: (key) => opencodeKeys.has(key) || bookkeepingKeys.has(key),
  whyIdle: "opencode's, without a counterpart here",
  callsByName: true,
  // opencode puts a server's name in front of its tools: github_search, github_*.
  nameTool: (tool, isServer) => {
    for (let at = tool.indexOf("_"); at > 0; at = tool.indexOf("_", at + 1))
      if (isServer(tool.slice(0, at))) return `${tool.slice(0, at)}__${tool.slice(at + 1)}`;
    const bare = tool.replace(/\*$/, "");
    return isServer(bare) ? `${bare}__*` : tool;
  },
  absentTools: explainAbsent("opencode"),
};

const readKeys: ReadonlySet<string> = new Set(["model"]);

/** An agent's file as opencode reads it, in our keys. */
export function readOpencodeAgent(tree: MapNode, reading: Reading): MapNode {
  return changeEntries(dropOthers(tree, readKeys, reading), (entry) => {
    if (entry.key === "tools") return { ...entry, value: readTools(entry.value) };
    if (entry.key === "model") return readModels(entry, reading);
    // Which agents begin is known of a folder only.
    if (entry.key === "mode") return [];
    if (entry.key === "steps" || entry.key === "maxSteps") return { ...entry, key: "max_turns" };
    return entry;
  });
}

/** Tools by name, each on or off, as the list of those that are on. */
function readTools(tools: YamlNode): YamlNode {
  if (tools.kind !== "map") return readNames(tools);
  const items = tools.entries.flatMap(({ key, keySpan, value }): YamlNode[] => {
    const isOn = value.kind === "scalar" && value.value === true;
    return isOn && key !== "*" ? [{ kind: "scalar", value: key, written: key, span: keySpan }] : [];
  });
  return { kind: "list", items, span: tools.span };
}
