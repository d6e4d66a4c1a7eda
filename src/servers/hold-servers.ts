import { listCrews } from "../flow/list-crews.ts";
import { findMarker } from "../redaction/marker.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { createAbsentTool } from "../tools/create-absent-tool.ts";
import { describeServer } from "../tools/mcp-connection.ts";
import { isServerPattern, matchServerPattern } from "../tools/server-pattern.ts";
import type { Tool } from "../tools/tool.ts";
import type { Crew, McpServer } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { ToolFacts } from "../vocabulary/messages.ts";
import { findSetTool } from "../vocabulary/tool-set.ts";
import { LiveServer } from "./live-server.ts";
import { hashDefinition, openServerApprovals, type ServerApprovals } from "./server-approvals.ts";

/** A server that a run needs and nobody has approved yet, or whose tools have changed. */
export interface ServerRequest {
  /** What it is, if not an MCP server. Its card stands in place of tools. */
  readonly kind?: "remote agent";
  readonly server: string;
  readonly definition: McpServer;
  /** The command to start, or the address to reach. */
  readonly what: string;
  /** The tools that differ from the approved ones. */
  readonly changed: readonly string[];
  /** The current tools, as hashes by name; empty if the server was not started. */
  readonly tools: Readonly<Record<string, string>>;
}

export interface ServerEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Allows servers that are not approved on this machine. The approval is not remembered. */
  readonly approveServer?: ((request: ServerRequest) => boolean | Promise<boolean>) | undefined;
  /** Called when a server takes long to start. */
  readonly onWait?: ((message: string) => void) | undefined;
  /** The run calls nothing, so no server is started. */
  readonly isIdle: boolean;
}

/** The tools of the servers of a crew and its sub-crews, for as long as a run needs them. */
export interface HeldServers {
  tool(name: string, crew: Crew): Tool | undefined;
  serverTools(pattern: string, crew: Crew): readonly string[];
  /** Absent if there is nothing to release. */
  release?(): Promise<void>;
}

/** Starts the servers whose tools agents name when the first run needs them, and ends them with the last run. */
export function holdServers(crew: Crew, given: ReadonlySet<string>, environment: ServerEnvironment) {
  const named = listServerTools(crew, given);
  const idle: HeldServers = { tool: createAbsentTools(crew, given), serverTools: () => [] };
  let users = 0;
  let started: { readonly servers: Promise<Started>; readonly abort: AbortController } | undefined;
  const release = async (): Promise<void> => {
    if (--users > 0) return;
    const ending = started;
    started = undefined;
    // Those that are still starting end at once.
    ending?.abort.abort();
    await (await ending?.servers.catch(() => undefined))?.close();
  };
  const begin = () => {
    const abort = new AbortController();
    return { abort, servers: startServers(named, environment, abort.signal) };
  };
  const start = async (run: WaitingRun, facts: Facts): Promise<HeldServers> => {
    users++;
    started ??= begin();
    try {
      const { tools, checkPins } = await unlessLeaving(started.servers, run);
      await checkPins(facts);
      return {
        tool: (name, of) => tools.get(of)?.get(name),
        serverTools: (pattern, of) => matchServerPattern(pattern, tools.get(of)?.keys() ?? []),
        release,
      };
    } catch (error) {
      await release();
      throw error;
    }
  };
  /** `facts` says with which tools a continued run began. */
  return (run: WaitingRun, facts: Facts = {}): HeldServers | Promise<HeldServers> =>
    named.size === 0 || environment.isIdle ? idle : start(run, facts);
}

type Facts = Readonly<Record<string, ToolFacts>>;

/** A run that needs servers before it begins. */
export interface WaitingRun {
  /** Whether it was told to end, or to leave this process. */
  readonly isLeaving: boolean;
}

const POLL_MS = 100;

/** Waits for servers to start, for as long as the run wants them. */
async function unlessLeaving<Value>(starting: Promise<Value>, run: WaitingRun): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const leaving = new Promise<never>((_, reject) => {
    const error = new BatonError("stopped-waiting", "stopped while MCP servers were starting: nothing was run");
    timer = setInterval(() => {
      if (run.isLeaving) reject(error);
    }, POLL_MS);
  });
  try {
    return await Promise.race([starting, leaving]);
  } finally {
    clearInterval(timer);
  }
}

/** Placeholders for the tools of servers, for runs that call nothing. */
function createAbsentTools(crew: Crew, given: ReadonlySet<string>): HeldServers["tool"] {
  const named = listServerTools(crew, given);
  return (name, of) => (named.get(of)?.includes(name) ? createAbsentTool(name) : undefined);
}

/** Remembers that a server may be used, and what its tools are now. */
export function approveServer({ server, what, definition, tools }: ServerRequest, approvals: ServerApprovals): void {
  approvals.save(definition, { server, what, tools });
}

/** Lists the tools of servers that agents name, by crew. Crews without such tools are left out. */
function listServerTools(crew: Crew, given: ReadonlySet<string>): ReadonlyMap<Crew, readonly string[]> {
  const named = new Map<Crew, readonly string[]>();
  for (const [, each] of listCrews(crew)) {
    const names = new Set([...each.agents.values()].flatMap(({ tools }) => tools));
    const isServed = (name: string) =>
      !given.has(name) &&
      !each.tools.has(name) &&
      findSetTool(each.toolSets, name) === undefined &&
      findServers(name, each).length > 0;
    const served = [...names].filter(isServed);
    if (served.length > 0) named.set(each, served);
  }
  return named;
}

function findServers(tool: string, { mcpServers }: Crew): string[] {
  return [...mcpServers.keys()].filter((server) => tool.startsWith(`${server}__`));
}

interface Started {
  readonly tools: ReadonlyMap<Crew, ReadonlyMap<string, Tool>>;
  /** Checks that a run may use the tools as they are. */
  checkPins(facts: Facts): Promise<void>;
  close(): Promise<void>;
}

async function startServers(
  named: ReadonlyMap<Crew, readonly string[]>,
  environment: ServerEnvironment,
  signal: AbortSignal,
): Promise<Started> {
  const approvals = openServerApprovals(environment.variables);
  // Crews that name the same server share it.
  const live = new Map<string, LiveServer>();
  const close = async () => void (await Promise.allSettled([...live.values()].map((server) => server.close())));
  const start = async (server: string, definition: McpServer): Promise<LiveServer> => {
    const key = `${server} ${hashDefinition(definition)}`;
    const running = live.get(key);
    if (running !== undefined) return running;
    refuseRedacted(server, definition);
    if (approvals.find(definition) === undefined)
      await askFor({ server, definition, what: describeDefinition(definition), changed: [], tools: {} }, environment);
    const started = await LiveServer.start(server, definition, { ...environment, signal });
    live.set(key, started);
    return started;
  };
  try {
    const tools = new Map<Crew, ReadonlyMap<string, Tool>>();
    for (const [crew, names] of named) {
      const needed = new Set(names.flatMap((name) => findServers(name, crew)));
      const servers: LiveServer[] = [];
      for (const [name, definition] of crew.mcpServers)
        if (needed.has(name)) servers.push(await start(name, definition));
      const known = servers.flatMap((server) => server.toolNames());
      const all = names.flatMap((name) => (isServerPattern(name) ? matchServerPattern(name, known) : name));
      tools.set(crew, new Map(all.map((name) => [name, findTool(name, servers)] as const)));
    }
    const check = async (facts: Facts) => {
      const pins = new Set(Object.values(facts).map(({ pin }) => pin));
      for (const server of live.values()) await checkPins(server, pins, approvals, environment);
    };
    return { tools, checkPins: check, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A stored copy of a crew contains no secrets. A server that needs one would start with a marker in its place. */
function refuseRedacted(server: string, definition: McpServer): void {
  if (findMarker(JSON.stringify(definition), 0) === undefined) return;
  throw new BatonError(
    "secret-not-stored",
    `MCP server '${server}' needs a secret that the stored copy of the crew does not have: resume with the crew's files, and put the secret into a variable, \${NAME} in the file, for another time`,
  );
}

/** Describes what a person approves: the whole definition, except secrets in the file. */
function describeDefinition(definition: McpServer): string {
  const redactor = createRedactor({});
  // Redacted by name first, since `DB_PASSWORD` hides a value that does not look like a secret. Redaction replaces strings by
  // strings, so the structure stays the same.
  return redactor.redact(describeServer(redactor.redactValue(definition) as McpServer));
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

/** Callers can catch this error, ask a person, and try again. */
export class UnapprovedServer extends BatonError {
  readonly request: ServerRequest;

  constructor(message: string, request: ServerRequest) {
    super("server-not-approved", message);
    this.request = request;
  }
}

/**
 * Checks that tools are the same as at their first use. A tool that is new on this machine is remembered. A run that began with tools
 * that had changed was allowed to, so it may use the same ones in any process.
 */
async function checkPins(
  server: LiveServer,
  begun: ReadonlySet<string | undefined>,
  approvals: ServerApprovals,
  environment: ServerEnvironment,
): Promise<void> {
  const approval = approvals.find(server.definition);
  if (approval === undefined) return;
  const { name, definition } = server;
  const now = server.usedHashes();
  // Own keys only, because a tool may be called `constructor`.
  const isKnown = (tool: string) => Object.hasOwn(approval.tools, tool);
  const changed = Object.keys(now).filter(
    (tool) => isKnown(tool) && approval.tools[tool] !== now[tool] && !begun.has(now[tool]),
  );
  if (changed.length > 0) {
    const tools = { ...approval.tools, ...now };
    await askFor({ server: name, definition, what: describeDefinition(definition), changed, tools }, environment);
  } else if (!Object.keys(now).every(isKnown)) {
    approvals.save(definition, { ...approval, tools: { ...now, ...approval.tools } });
  }
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
