import { findEntry } from "../definition/fields.ts";
import { looksLikeCrew } from "../definition/foreign-file.ts";
import type { MapNode, YamlNode } from "../definition/yaml-node.ts";
import { findChild, listEntries, textAt } from "./foreign-source.ts";

/** What a file of YAML or JSON holds. */
export type Recognized =
  | "crew"
  | "agent"
  | "crewai-agents"
  | "crewai-tasks"
  | "docker-agent"
  | "autogen"
  | "langgraph"
  | undefined;

/** Tells what a file holds by keys that only its system writes. */
export function recognizeFile(tree: MapNode): Recognized {
  const values = tree.entries.map(({ value }) => value);
  if (isAutogen(tree)) return "autogen";
  if (findChild(tree, "graphs")?.kind === "map" && findChild(tree, "dependencies") !== undefined) return "langgraph";
  if (isDockerAgent(tree)) return "docker-agent";
  if (looksLikeCrew(tree)) return "crew";
  if (values.some((each) => hasAny(each, ["expected_output"]) && !hasAny(each, ["backstory"]))) return "crewai-tasks";
  const has = (keys: readonly string[]) => keys.some((key) => findEntry(tree, key) !== undefined);
  if (has(["system_prompt", "primary", "temperature", "cost_limits", "is_terminal"])) return "agent";
  if (values.some((each) => hasAll(each, ["role", "goal"]) || hasAll(each, ["goal", "backstory"])))
    return "crewai-agents";
  return has(["role", "backstory"]) && has(["name", "id", "description"]) ? "agent" : undefined;
}

/** Components of AutoGen are told by where their code lives. */
function isAutogen(tree: MapNode): boolean {
  const provider = textAt(tree, "provider") ?? "";
  return (
    findChild(tree, "config")?.kind === "map" &&
    (/^autogen_/.test(provider) || /^(?:team|agent)$/.test(textAt(tree, "component_type") ?? ""))
  );
}

function isDockerAgent(tree: MapNode): boolean {
  const agents = findChild(tree, "agents");
  const each = agents?.kind === "list" ? agents.items : listEntries(agents).map(({ value }) => value);
  return each.some(
    (agent) =>
      hasAny(agent, ["instruction", "toolsets", "sub_agents"]) || (agents?.kind === "map" && hasAll(agent, ["model"])),
  );
}

function hasAny(node: YamlNode, keys: readonly string[]): boolean {
  return keys.some((key) => findChild(node, key) !== undefined);
}

function hasAll(node: YamlNode, keys: readonly string[]): boolean {
  return keys.every((key) => findChild(node, key) !== undefined);
}
