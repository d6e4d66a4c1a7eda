import { findEntry } from "../fields.ts";
import type { Reading } from "../shape.ts";
import type { MapNode } from "../yaml-node.ts";
import { changeEntries } from "./edit-map.ts";
import type { Origin } from "./origin.ts";
import {
  addId,
  bookkeepingKeys,
  dropOthers,
  explainAbsent,
  makeSlug,
  readModels,
  readNames,
  scalarText,
} from "./product-keys.ts";

/** Keys that only Claude Code's files have. */
export const claudeKeys: ReadonlySet<string> = new Set([
  ...["permissionMode", "disallowedTools", "hooks", "skills", "mcpServers", "background", "isolation", "memory"],
  ...["initialPrompt", "color", "effort", "allowed-tools", "when_to_use"],
]);

export const claudeCode: Origin = {
  name: "Claude Code",
  isIdle: (key) => claudeKeys.has(key) || bookkeepingKeys.has(key),
  whyIdle: "for Claude Code and its like, without a counterpart here",
  callsByName: true,
  nameTool: (tool) => {
    const [, server, name] = /^mcp__(.+?)(?:__(.+))?$/.exec(tool) ?? [];
    return server === undefined ? tool : `${server}__${name ?? "*"}`;
  },
  absentTools: explainAbsent("Claude Code"),
};

/** The names that Claude Code gives its own tools. */
export const claudeTools: ReadonlySet<string> = new Set([
  ...["Read", "Write", "Edit", "MultiEdit", "Bash", "BashOutput", "KillShell", "Grep", "Glob", "LS", "Task", "Agent"],
  ...["WebSearch", "WebFetch", "TodoWrite", "TodoRead", "NotebookEdit", "NotebookRead", "ExitPlanMode", "SlashCommand"],
  ...["AskUserQuestion", "Skill"],
]);

const readKeys: ReadonlySet<string> = new Set(["model", "effort"]);

/** An agent's file as Claude Code reads it, in our keys. */
export function readClaudeAgent(tree: MapNode, reading: Reading): MapNode {
  const read = changeEntries(dropOthers(tree, readKeys, reading), (entry) => {
    if (entry.key === "tools") return { ...entry, value: readNames(entry.value) };
    if (entry.key === "model") return readModels(entry, reading);
    return entry.key === "effort" ? { ...entry, key: "reasoning" } : entry;
  });
  return addId(read, makeSlug(scalarText(findEntry(tree, "name")?.value) ?? ""));
}
