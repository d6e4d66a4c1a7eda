import { type AgentFile, placeOfAgent } from "./agent-file.ts";
import type { CrewFile } from "./crew-files.ts";
import { behaviorShape, crewShape, mcpServersShape } from "./crew-shape.ts";
import type { Reporter } from "./problem-log.ts";
import { createSource } from "./source.ts";
import type { MapNode } from "./yaml-node.ts";

/** A crew that no crew.yaml declares. */
export function impliedCrewFile(
  name: string,
  agents: readonly AgentFile[],
  folder: string,
  reporter: Reporter,
): CrewFile {
  const [first] = agents;
  const source = first?.source ?? createSource(folder, "");
  const root: MapNode = { kind: "map", entries: [], span: { start: 0, end: 0 } };
  const keys = { ...crewShape.absent, version: "2.0" as const, name, agents: agents.map((agent) => agent.id) };
  return { file: source.file, folder, source, root, keys, reporter, isImplied: true, origin: undefined };
}

/** The crew with what its agents' files of other systems say of it: servers that they bring, agents whose moves a person approves. */
export function addCrewNotes(crewFile: CrewFile, agents: Iterable<AgentFile>): CrewFile {
  const servers = new Map(crewFile.keys.mcp_servers);
  const behaviors = new Map<string, typeof behaviorShape.absent>();
  for (const { id, source, origin, crew } of agents) {
    const { reporter } = crewFile;
    const brought = crew.servers && mcpServersShape.read(crew.servers, "mcp-servers", { source, reporter, origin });
    for (const [name, server] of brought ?? []) if (!servers.has(name)) servers.set(name, server);
    if (crew.isGated) behaviors.set(id, { ...behaviorShape.absent, auto_route: false });
  }
  if (servers.size === crewFile.keys.mcp_servers.size && behaviors.size === 0) return crewFile;
  const routing = { signals: new Map(), defaults: new Map(), agent_behaviors: behaviors, parallel_groups: new Map() };
  return { ...crewFile, keys: { ...crewFile.keys, mcp_servers: servers, routing } };
}

/** Agents of a folder of which some begin and call the others. */
export function callSubagents(agents: readonly AgentFile[]): readonly AgentFile[] {
  const called = agents.filter(({ crew, keys }) => crew.role === "subagent" && (keys.description ?? "").trim() !== "");
  if (called.length === 0) return agents;
  return agents.map((agent) => {
    if (agent.crew.role !== "primary") return agent;
    const ids = called.map(({ id }) => id).filter((id) => !agent.keys.agents.includes(id));
    const place = placeOfAgent(agent);
    const references = [...agent.references, ...ids.map((name) => ({ kind: "agents" as const, name, place }))];
    return { ...agent, keys: { ...agent.keys, agents: [...agent.keys.agents, ...ids] }, references };
  });
}
