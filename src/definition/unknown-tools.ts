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
  const { crewFile, directory, servers } = parts;
  const known = knownTools(parts);
  const prefixes = [...crewFile.keys.mcp_servers.keys(), ...servers.keys()].map((server) => `${server}__`);
  const isServed = (tool: string) => prefixes.some((prefix) => tool.startsWith(prefix));
  return [...directory.files.values()].flatMap((agent) =>
    agent.keys.tools.flatMap((written, index) => {
      const tool = nameTool(agent, written, parts);
      return known.has(tool) || isServed(tool) ? [] : { agent, tool, index };
    }),
  );
}

/** The name of a tool as Baton has it: elsewhere the name of a server stands for all its tools. */
export function nameTool({ origin }: AgentFile, tool: string, parts: CrewParts): string {
  return origin?.namesServers && parts.servers.has(tool) && !knownTools(parts).has(tool) ? `${tool}__*` : tool;
}
