import type { AgentFile } from "./agent-file.ts";
import type { CrewParts } from "./crew-parts.ts";

/** A tool that an agent's file names and that is declared nowhere. */
export interface UnknownTool {
  readonly agent: AgentFile;
  readonly tool: string;
  /** Its position in the agent's `tools`. */
  readonly index: number;
}

/** The names of tools that are declared in the crew, or given from outside. */
export function knownTools({ crewFile, givenTools }: CrewParts): ReadonlySet<string> {
  return new Set([...crewFile.keys.tools.keys(), ...givenTools]);
}

/** Lists the tools that agents name and that are declared nowhere. */
export function listUnknownTools(parts: CrewParts): UnknownTool[] {
  const isThere = findTools(parts);
  return [...parts.directory.files.values()].flatMap((agent) =>
    nameTools(agent, parts).flatMap((tool, index) => (isThere(tool) ? [] : { agent, tool, index })),
  );
}

/** The tools that an agent has: without those that its system would have and that are not there, unless stubs answer for them. */
export function toolsOf(agent: AgentFile, parts: CrewParts): readonly string[] {
  const names = nameTools(agent, parts);
  if (parts.stubTools || agent.origin?.absentTools.code !== "absent-tool") return names;
  return names.filter(findTools(parts));
}

function nameTools({ keys, origin }: AgentFile, parts: CrewParts): readonly string[] {
  const name = origin?.nameTool;
  if (name === undefined || keys.tools.length === 0) return keys.tools;
  const isKnown = findTools(parts);
  return keys.tools.map((tool) => (isKnown(tool) ? tool : name(tool, (server) => parts.servers.has(server))));
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
