import { join, resolve } from "node:path";
import type { McpServer } from "../crew.ts";
import type { AgentFile } from "./agent-file.ts";
import type { CrewFile } from "./crew-files.ts";
import { readText } from "./read-text.ts";

/** The MCP servers of a crew: its own, and those of the project's `.mcp.json` whose tools its agents name. */
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
  const wanted = [...agents].flatMap(({ keys }) => keys.tools).filter((tool) => tool.includes("__"));
  const isServed = (tool: string) => [...crewFile.keys.mcp_servers.keys()].some((name) => tool.startsWith(`${name}__`));
  if (wanted.every((tool) => isServed(tool) || crewFile.keys.tools.has(tool))) return servers;
  for (const [name, server] of projectServers(crewFile, root)) if (!servers.has(name)) servers.set(name, server);
  return servers;
}

/** Other programs read `.mcp.json` too: what is in it that is not for us is nobody's mistake. */
function projectServers(crewFile: CrewFile, root: string): [name: string, server: McpServer][] {
  const file = join(root, ".mcp.json");
  const result = readText(file, root);
  if ("problem" in result) {
    const { code, message } = result.problem;
    if (code !== "not-found") crewFile.reporter.report(code, { file }, `.mcp.json ${message}`);
    return [];
  }
  try {
    const { mcpServers = {} } = JSON.parse(result.text);
    return Object.entries(mcpServers).flatMap(([name, entry]) => {
      const server = serverOf(entry, root);
      return server === undefined ? [] : [[name, server] as [string, McpServer]];
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    crewFile.reporter.report("yaml-syntax", { file }, `.mcp.json is not valid JSON: ${why}`);
    return [];
  }
}

function serverOf(entry: unknown, root: string): McpServer | undefined {
  const { command, args, env, cwd, url, headers, type } = entry as Readonly<Record<string, unknown>>;
  if (typeof command === "string") {
    const folder = typeof cwd === "string" ? resolve(root, cwd) : root;
    return { type: "stdio", command, args: Array.isArray(args) ? args.map(String) : [], env: texts(env), cwd: folder };
  }
  return typeof url === "string" && type !== "sse" ? { type: "http", url, headers: texts(headers) } : undefined;
}

function texts(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(value ?? {}).map(([key, each]) => [key, String(each)]));
}
