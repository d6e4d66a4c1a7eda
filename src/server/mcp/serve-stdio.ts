import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { SdkError, SdkErrorCode } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { checkCrew } from "../../definition/check-crew.ts";
import type { Store } from "../../journal/store.ts";
import { RunChannels } from "../run-channels.ts";
import { RunSupervisor } from "../run-supervisor.ts";
import { ServedCrews, type ServedCrewsOptions } from "../served-crews.ts";
import type { Token } from "../token.ts";
import { Spending } from "../token-spending.ts";
import { watchCrews } from "../watch-crews.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import type { McpCaller } from "./mcp-host.ts";
import { openMcpHost } from "./open-mcp-host.ts";

/** How crews are served to the program that started the process. */
export interface StdioOptions {
  readonly paths: readonly string[];
  readonly crews: Omit<ServedCrewsOptions, "store">;
  readonly store: Store;
  readonly maxRuns: number;
  readonly waitMs: number;
  /** Whether the client may approve, and answer gates, quotas and unclear calls. */
  readonly allowsApprovals: boolean;
  /** Whether there are tools for writing crews, too. Crews with errors are then left out. */
  readonly isDev: boolean;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  readonly output: Writable;
  /** Takes a line for people. */
  readonly note: (line: string) => void;
}

/** Crews that are served on standard input and output. */
export interface RunningStdio {
  readonly names: readonly string[];
  /** Resolves when the client has closed the input, or does not read the output any more. */
  readonly closed: Promise<void>;
  /** Lets turns under way finish within the time, and lets go of their runs. */
  stop(graceMs: number): Promise<void>;
}

/** The most that a client may send in one message. */
const MAX_MESSAGE_BYTES = 16 * 2 ** 20;
const LAST_WORDS_MS = 1000;
/** The name by which runs say who started them. */
const NAME = "mcp";

/** Serves crews to the program at the other end of a pipe. It continues no run unasked. */
export async function startStdio(options: StdioOptions): Promise<RunningStdio> {
  const { store, note, isDev, input, output } = options;
  const paths = isDev ? options.paths.filter((path) => isValid(path, options)) : options.paths;
  const crews = new ServedCrews(paths, { ...options.crews, store });
  const supervisor: RunSupervisor = new RunSupervisor({
    ...{ store, crews, note },
    maxRuns: options.maxRuns,
    recovers: false,
    onEvent(event) {
      channels.tell(event);
      if (event.type === "run.started") note(`run ${event.runId} of ${event.data.crew} began`);
    },
    onResult: ({ runId, status }) => note(`run ${runId} is ${status}`),
  });
  const channels: RunChannels = new RunChannels(store, (runId) => supervisor.isOurs(runId));
  const parts = { store, crews, supervisor, channels, spending: new Spending(store) };
  const host = openMcpHost(parts, { waitMs: options.waitMs, recovers: false, isLocal: true, note });
  const extend = isDev ? (await import("./dev-tools.ts")).createDevTools({ ...options, host }) : undefined;
  const caller = createCaller(options.allowsApprovals);
  const closed = whenClosed(input, output);
  const handle = serveStdio(
    ({ era }) => createMcpServer({ host, caller, era, ...(extend !== undefined && { extend }) }),
    {
      transport: new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES }),
      onerror: ({ message }) => note(`from the client: ${message}`),
    },
  );
  const unwatch = isDev ? watchCrews(crews, note) : undefined;
  return {
    names: crews.list().map(({ name }) => name),
    closed,
    async stop(graceMs) {
      unwatch?.();
      await supervisor.stop(graceMs);
      // Calls are told that their runs are let go of, as long as somebody listens.
      await Promise.race([Promise.allSettled(host.calls), wait(LAST_WORDS_MS, undefined, { ref: false })]);
      await wait(0);
      await handle.close();
    },
  };
}

/** The person whose machine it is may see every run; what a model may not decide, `--allow-approvals` allows. */
function createCaller(allowsApprovals: boolean): McpCaller {
  const token: Token = {
    name: NAME,
    digest: Buffer.alloc(0),
    expires: undefined,
    scopes: new Set(allowsApprovals ? ["run", "read", "answer"] : ["run", "read"]),
    crews: undefined,
    maxRuns: undefined,
    requestsPerMinute: undefined,
    maxCostUsdPerDay: undefined,
  };
  return {
    token,
    user: undefined,
    traceparent: undefined,
    about() {},
    // A client that is gone lost its answer, and finds its run again.
    onLeave: (reason) =>
      reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed ? "keep" : "cancel",
  };
}

function isValid(path: string, { crews, variables, note }: StdioOptions): boolean {
  const { workingDirectory, root } = crews;
  const { crew } = checkCrew(path, {
    workingDirectory,
    environment: variables,
    ...(root !== undefined && { root }),
  });
  if (crew === undefined) note(`there is no crew without errors at ${path}, so it is no tool; check_crew says why`);
  return crew !== undefined;
}

function whenClosed(input: Readable, output: Writable): Promise<void> {
  return new Promise((resolve) => {
    input.once("end", resolve);
    input.once("close", resolve);
    output.once("error", () => resolve());
  });
}
