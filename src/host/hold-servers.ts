import type { Crew } from "../crew.ts";
import { BatonError } from "../errors.ts";
import { describeServer } from "../tools/mcp-connection.ts";
import { absentMcpTool } from "../tools/mcp-tool.ts";
import type { Tool } from "../tools/tool.ts";
import { LiveServer } from "./live-server.ts";
import { openServerApprovals, type ServerApprovals } from "./server-approvals.ts";

/** A server that a run needs and nobody has approved yet, or whose tools are not what they were. */
export interface ServerRequest {
  readonly server: string;
  /** The command that is started, or the address that is reached. */
  readonly what: string;
  /** The tools that are not what was approved. */
  readonly changed: readonly string[];
}

export interface ServerEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Lets servers be used that are not approved on this machine; nothing is remembered of it. */
  readonly approveServer?: ((request: ServerRequest) => boolean | Promise<boolean>) | undefined;
  /** Nothing is called, so nothing is started. */
  readonly isIdle: boolean;
}

/** The servers of a crew, for as long as runs need them. */
export interface HeldServers {
  readonly tools: ReadonlyMap<string, Tool>;
  release(): Promise<void>;
}

/** Starts the servers whose tools agents name, when the first run needs them, and ends them with the last. */
export function holdServers(crew: Crew, given: ReadonlySet<string>, environment: ServerEnvironment) {
  const names = serverTools(crew).filter((name) => !given.has(name));
  const idle: HeldServers = { tools: absentTools(crew), release: async () => {} };
  let users = 0;
  let started: Promise<Started> | undefined;
  const release = async (): Promise<void> => {
    if (--users > 0) return;
    const ending = started;
    started = undefined;
    await (await ending?.catch(() => undefined))?.close();
  };
  return async (): Promise<HeldServers> => {
    if (names.length === 0 || environment.isIdle) return idle;
    users++;
    started ??= startServers(crew, names, environment);
    try {
      const { tools } = await started;
      return { tools, release };
    } catch (error) {
      await release();
      throw error;
    }
  };
}

/** Tools that agents name and a server has. */
function serverTools(crew: Crew): string[] {
  const names = new Set([...crew.agents.values()].flatMap(({ tools }) => tools));
  return [...names].filter((name) => !crew.tools.has(name) && serversFor(name, crew).length > 0);
}

/** Stand-ins for the tools of servers, for runs that call nothing. */
export function absentTools(crew: Crew): ReadonlyMap<string, Tool> {
  return new Map(serverTools(crew).map((name) => [name, absentMcpTool(name)]));
}

/** Remembers that a server may be used, with what its tools are now. */
export function approveServer(crew: Crew, { server, what }: ServerRequest, approvals: ServerApprovals): void {
  const definition = crew.mcpServers.get(server);
  if (definition !== undefined) approvals.save(definition, { server, what, tools: {} });
}

function serversFor(tool: string, { mcpServers }: Crew): string[] {
  return [...mcpServers.keys()].filter((server) => tool.startsWith(`${server}__`));
}

interface Started {
  readonly tools: ReadonlyMap<string, Tool>;
  close(): Promise<void>;
}

async function startServers(crew: Crew, names: readonly string[], environment: ServerEnvironment): Promise<Started> {
  const approvals = openServerApprovals(environment.variables);
  const needed = new Set(names.flatMap((name) => serversFor(name, crew)));
  const servers: LiveServer[] = [];
  const close = async () => void (await Promise.allSettled(servers.map((server) => server.close())));
  try {
    for (const [name, server] of crew.mcpServers) {
      if (!needed.has(name)) continue;
      if (approvals.find(server) === undefined)
        await askFor({ server: name, what: describeServer(server), changed: [] }, environment);
      servers.push(await LiveServer.start(name, server, environment.variables));
    }
    const tools = new Map(names.map((name) => [name, findTool(name, servers)] as const));
    refuseCollisions(tools);
    for (const server of servers) await checkPins(server, approvals, environment);
    return { tools, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function askFor(request: ServerRequest, { approveServer: approve }: ServerEnvironment): Promise<void> {
  if ((await approve?.(request)) === true) return;
  const { server, what, changed } = request;
  const why = changed.length === 0 ? "has not been approved on this machine" : `has changed: ${changed.join(", ")}`;
  throw new UnapprovedServer(
    `MCP server '${server}' (${what}) ${why}: run it at a terminal to be asked, or with --yes`,
    request,
  );
}

/** What a caller may ask a person about, and try again. */
export class UnapprovedServer extends BatonError {
  readonly request: ServerRequest;

  constructor(message: string, request: ServerRequest) {
    super("server-not-approved", message);
    this.request = request;
  }
}

/** Tools are what they were when they were first used; one that is new to this machine is remembered. */
async function checkPins(
  server: LiveServer,
  approvals: ServerApprovals,
  environment: ServerEnvironment,
): Promise<void> {
  const approval = approvals.find(server.definition);
  if (approval === undefined) return;
  const now = server.usedHashes();
  const changed = Object.keys(now).filter(
    (tool) => approval.tools[tool] !== undefined && approval.tools[tool] !== now[tool],
  );
  if (changed.length > 0) await askFor({ server: server.name, what: approval.what, changed }, environment);
  else if (Object.keys(now).some((tool) => approval.tools[tool] === undefined))
    approvals.save(server.definition, { ...approval, tools: { ...approval.tools, ...now } });
}

function findTool(name: string, servers: readonly LiveServer[]): Tool {
  const found = servers.flatMap((server) => server.find(name));
  const [tool, ...others] = found;
  if (tool === undefined) {
    const known = servers.flatMap((server) => server.toolNames());
    const some =
      known.length > 20 ? `${known.slice(0, 20).join(", ")} and ${known.length - 20} more` : known.join(", ");
    throw new BatonError("unknown-tool", `no MCP server has the tool '${name}'; there are ${some || "none"}`);
  }
  if (others.length > 0)
    throw new BatonError("ambiguous-tool", `the tool '${name}' is there ${found.length} times: rename a server`);
  return tool;
}

/** Names that differ may be the same to a model. */
function refuseCollisions(tools: ReadonlyMap<string, Tool>): void {
  const byName = new Map<string, string>();
  for (const [asked, { name }] of tools) {
    const other = byName.get(name);
    if (other !== undefined)
      throw new BatonError("ambiguous-tool", `the tools '${other}' and '${asked}' are both '${name}' to a model`);
    byName.set(name, asked);
  }
}
