import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { McpServer } from "../vocabulary/crew.ts";
import type { AgentFile } from "./agent-file.ts";
import { listToolSetKeys } from "./build-tool-sets.ts";
import type { CrewFile } from "./crew-files.ts";
import { readProjectMcp } from "./read-project-mcp.ts";
import { isInside } from "./read-text.ts";

/**
 * The MCP servers of a crew: its own, and those of the project's `.mcp.json` whose tools its agents name. For agent files without a crew
 * that is the nearest one, in their folder or above.
 */
export function buildMcp(
  crewFile: CrewFile,
  agents: Iterable<AgentFile>,
  root: string,
): ReadonlyMap<string, McpServer> {
  const servers = new Map<string, McpServer>();
  for (const [name, { command, args, env, cwd, url, headers }] of crewFile.keys.mcp_servers) {
    const folder = cwd === undefined ? root : resolve(crewFile.folder, cwd);
    if (command !== undefined)
      servers.set(name, { type: "stdio", command, args, env: Object.fromEntries(env), cwd: folder });
    else if (url !== undefined) servers.set(name, { type: "http", url, headers: Object.fromEntries(headers) });
  }
  const named = [...agents].flatMap(({ keys, origin }) => keys.tools.map((tool) => ({ tool, name: origin?.nameTool })));
  const isWanted = (server: string) =>
    !servers.has(server) &&
    named.some(({ tool, name }) => (name?.(tool, (each) => each === server) ?? tool).startsWith(`${server}__`));
  const sets = listToolSetKeys(crewFile).map(([name]) => name);
  const isServed = (tool: string) => [...servers.keys(), ...sets].some((name) => tool.startsWith(`${name}__`));
  const mayBeServed = ({ tool, name }: (typeof named)[number]) =>
    !crewFile.keys.tools.has(tool) && !isServed(tool) && (name !== undefined || tool.includes("__"));
  if (!named.some(mayBeServed)) return servers;
  for (const [name, server] of readProjectMcp(findMcpFolder(crewFile, root), root, crewFile.reporter, isWanted))
    if (!servers.has(name)) servers.set(name, server);
  return servers;
}

/** The folder whose `.mcp.json` is read: the project's root, for agent files without a crew the nearest one up to it. */
export function findMcpFolder({ folder, isImplied }: CrewFile, root: string): string {
  if (!isImplied) return root;
  let at = folder;
  while (at !== root && isInside(at, root) && !existsSync(join(at, ".mcp.json"))) at = dirname(at);
  return isInside(at, root) ? at : root;
}
