import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { McpServer } from "../vocabulary/crew.ts";
import type { AgentFile } from "./agent-file.ts";
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
  const wanted = [...agents].flatMap(({ keys, origin }) =>
    origin?.namesServers ? keys.tools : keys.tools.filter((tool) => tool.includes("__")),
  );
  const isServed = (tool: string) => [...crewFile.keys.mcp_servers.keys()].some((name) => tool.startsWith(`${name}__`));
  if (wanted.every((tool) => isServed(tool) || crewFile.keys.tools.has(tool))) return servers;
  const isWanted = (name: string) =>
    !servers.has(name) && wanted.some((tool) => tool === name || tool.startsWith(`${name}__`));
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
