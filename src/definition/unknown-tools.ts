import { listSetTools } from "../vocabulary/tool-set.ts";
import type { AgentFile } from "./agent-file.ts";
import { listToolModules } from "./build-tool-sets.ts";
import type { CrewParts } from "./crew-parts.ts";
import { findProductTools } from "./origins/product-tools.ts";

/** A tool that an agent's file names and that is declared nowhere. */
export interface UnknownTool {
  readonly agent: AgentFile;
  readonly tool: string;
  /** Its position in the agent's `tools`. */
  readonly index: number;
}

/** The names of tools that are declared in the crew, or given from outside. */
export function knownTools(parts: CrewParts): ReadonlySet<string> {
  const modules = listToolModules(parts.crewFile).map(([name]) => name);
  return new Set([...modules, ...listToolsOfSets(parts), ...parts.givenTools]);
}

function listToolsOfSets({ toolSets }: Pick<CrewParts, "toolSets">): string[] {
  return [...toolSets].flatMap(([name, set]) => listSetTools(set).map((tool) => `${name}__${tool}`));
}

/** Lists the tools that agents name and that are declared nowhere. */
export function listUnknownTools(parts: CrewParts): UnknownTool[] {
  const isThere = findTools(parts);
  return [...parts.directory.files.values()].flatMap((agent) =>
    nameTools(agent, parts, isThere).flatMap(([tool, index]) => (isThere(tool) ? [] : { agent, tool, index })),
  );
}

/** The tools that an agent has: without those that its system would have and that are not there, unless stubs answer for them. */
export function listTools(agent: AgentFile, parts: CrewParts): readonly string[] {
  const isThere = findTools(parts);
  const names = new Set(nameTools(agent, parts, isThere).map(([tool]) => tool));
  if (parts.stubTools || agent.origin?.absentTools.code !== "absent-tool") return [...names];
  return [...names].filter(isThere);
}

/** The tools that an agent's file names, as Baton names them, each with its position in the file. */
function nameTools(
  { keys, origin }: AgentFile,
  parts: CrewParts,
  isThere: (tool: string) => boolean,
): (readonly [tool: string, index: number])[] {
  const isServer = (server: string) => parts.servers.has(server);
  const nameTool = (tool: string): readonly string[] => {
    const ofSet = expandPattern(tool, parts);
    if (ofSet !== undefined) return ofSet;
    if (isThere(tool)) return [tool];
    const named = origin?.nameTool?.(tool, isServer) ?? tool;
    return isThere(named) ? [named] : (findSetTools(tool, parts) ?? [named]);
  };
  return keys.tools.flatMap((tool, index) => nameTool(tool).map((name) => [name, index] as const));
}

/** All tools of a set, for `<set>__*`. */
function expandPattern(tool: string, { toolSets }: CrewParts): readonly string[] | undefined {
  const name = tool.endsWith("__*") ? tool.slice(0, -3) : "";
  const set = toolSets.get(name);
  return set && listSetTools(set).map((each) => `${name}__${each}`);
}

/** The tools of the crew's sets that do what a tool of a product does; undefined if one of them is not there. */
function findSetTools(tool: string, { toolSets }: CrewParts): readonly string[] | undefined {
  const found = findProductTools(tool);
  const [name, set] = [...toolSets].find(([, each]) => each.type === found?.kind) ?? [];
  if (found === undefined || set === undefined) return undefined;
  const own = listSetTools(set);
  return found.tools.every((each) => own.includes(each)) ? found.tools.map((each) => `${name}__${each}`) : undefined;
}

/** Whether a tool is declared, or one of a server that is. */
function findTools(parts: CrewParts): (tool: string) => boolean {
  const known = knownTools(parts);
  const servers = new Set([...parts.crewFile.keys.mcp_servers.keys(), ...parts.servers.keys()]);
  const isServed = (tool: string) => {
    for (let at = tool.indexOf("__"); at !== -1; at = tool.indexOf("__", at + 1))
      if (servers.has(tool.slice(0, at))) return true;
    return false;
  };
  return (tool) => known.has(tool) || isServed(tool);
}
