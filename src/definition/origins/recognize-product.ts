import { basename } from "node:path";
import { findEntry } from "../fields.ts";
import type { MapNode, YamlNode } from "../yaml-node.ts";
import { claudeCode, claudeKeys, claudeTools } from "./claude-code.ts";
import { copilot, copilotKeys } from "./copilot.ts";
import { opencode, opencodeKeys } from "./opencode.ts";
import type { Origin } from "./origin.ts";
import { scalarText } from "./product-keys.ts";
import { splitCommas } from "./split-commas.ts";

/** The product that a Markdown file was written for, told from where it is and what is in it; undefined where it may be our own. */
export function recognizeProduct(file: string, tree: MapNode): Origin | undefined {
  return byPlace(file) ?? (findEntry(tree, "description") === undefined ? undefined : byKeys(tree));
}

function byPlace(file: string): Origin | undefined {
  if (/\.(?:agent|chatmode)\.md$/.test(basename(file)) || /\/\.github\/(?:agents|chatmodes)\//.test(file))
    return copilot;
  if (/\/\.claude\/agents\//.test(file)) return claudeCode;
  return /\/\.?opencode\/agents?\//.test(file) ? opencode : undefined;
}

function byKeys(tree: MapNode): Origin | undefined {
  const has = (keys: ReadonlySet<string>) => tree.entries.some(({ key }) => keys.has(key));
  const tools = findEntry(tree, "tools")?.value;
  const mode = scalarText(findEntry(tree, "mode")?.value);
  if (tools?.kind === "map" || ["primary", "subagent", "all"].includes(mode ?? "")) return opencode;
  if (has(copilotKeys)) return copilot;
  // Claude Code's agents always have a name.
  if (findEntry(tree, "name") !== undefined) {
    if (has(claudeKeys) || scalarText(tools) !== undefined || isClaudeModel(findEntry(tree, "model")?.value))
      return claudeCode;
    if (namesTools(tools, (tool) => claudeTools.has(tool) || tool.startsWith("mcp__"))) return claudeCode;
  }
  if (namesTools(tools, (tool) => editorTools.test(tool))) return copilot;
  return has(opencodeKeys) ? opencode : undefined;
}

function isClaudeModel(model: YamlNode | undefined): boolean {
  return /^(?:sonnet|opus|opusplan|haiku|inherit|claude-[\w.-]+)(?:\[\w+\])?$/.test(scalarText(model) ?? "");
}

/** Tools of VS Code, and sets of them. */
const editorTools =
  /^(?:codebase|editFiles|runCommands|runTasks|runTests|findTestFiles|testFailure|terminalLastCommand|terminalSelection|openSimpleBrowser|githubRepo|problems|vscodeAPI|changes|usages|(?:vscode|execute|read|edit|search|web|agent)\/\w+)$/;

function namesTools(tools: YamlNode | undefined, isOne: (tool: string) => boolean): boolean {
  const list = tools && splitCommas(tools);
  return list?.kind === "list" && list.items.some((item) => isOne(scalarText(item) ?? ""));
}
