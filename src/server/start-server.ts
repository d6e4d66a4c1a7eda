import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { Store } from "../journal/store.ts";
import { RunStatisticsReader } from "../library/run-statistics.ts";
import { createRedactor } from "../redaction/redactor.ts";
import type { RunResult } from "../views/run-result.ts";
import { BatonError, describeThrown } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { ClusterOptions, OpenedCluster, OpeningCluster } from "./cluster/open-cluster.ts";
import { type AppOptions, createApp } from "./create-app.ts";
import { EventStreams } from "./event-streams.ts";
import { lazyMcpHttp } from "./mcp/lazy-mcp-http.ts";
import type { McpChoices } from "./mcp/open-mcp-host.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { describeApi } from "./open-api.ts";
import { RateLimits } from "./rate-limits.ts";
import { createRequestLog } from "./request-log.ts";
import { routes } from "./routes.ts";
import { RunChannels } from "./run-channels.ts";
import { RunSupervisor } from "./run-supervisor.ts";
import { startSchedules } from "./schedules.ts";
import { ServedCrews, type ServedCrewsOptions } from "./served-crews.ts";
import type { Service } from "./service.ts";
import { createGuard } from "./source-guard.ts";
import { startChores } from "./start-chores.ts";
import { StoreChanges } from "./store-changes.ts";
import { openStudio, type StudioOptions } from "./studio/open-studio.ts";
import { studioRoutes } from "./studio/studio-routes.ts";
import type { Supervisor } from "./supervisor.ts";
import { createOperator } from "./token.ts";
import { TokenBook } from "./token-book.ts";
import { Spending } from "./token-spending.ts";
import { watchCrews } from "./watch-crews.ts";

/** How a server is started. */
export interface ServerOptions {
  readonly paths: readonly string[];
  readonly crews: Omit<ServedCrewsOptions, "store">;
  readonly store: Store;
  readonly host: string;
  readonly port: number;
  /** Whether another port does, where that one is taken. */
  readonly takesAnyPort?: boolean;
  /** The secret of a token that may do everything. */
  readonly secret: string | undefined;
  readonly tokensFile: string | undefined;
  readonly origins: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly publicUrl: string | undefined;
  /** Whether all requests come through a proxy whose `X-Forwarded-…` headers say what it was asked for. */
  readonly trustsProxy: boolean;
  /** The crew whose A2A card is that of the server. */
  readonly a2aCrew: string | undefined;
  /** Hosts that push notifications may go to, besides public ones. */
  readonly pushAllow: readonly string[];
  readonly maxRuns: number;
  readonly maxBody: number;
  readonly recovers: boolean;
  readonly isMetricsPublic: boolean;
  readonly isLogJson: boolean;
  /** How long calls of MCP tools wait, where that is not the usual. */
  readonly mcp?: Pick<McpChoices, "waitMs" | "validSeconds">;
  /** Whether each request gets a line of the log. */
  readonly logsRequests?: boolean;
  /** Whether crews are loaded again when their files change. */
  readonly watch: boolean;
  /** How runs are shared with other processes; undefined where this process runs them all. */
  readonly cluster?: ClusterOptions | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The studio, where the server has it. */
  readonly studio?: StudioOptions;
  /** Takes a line for people. */
  readonly write: (line: string) => void;
}

/** A server that listens. */
export interface RunningServer {
  /** How callers reach it: the public URL, if there is one. */
  readonly url: string;
  /** Where it listens. */
  readonly localUrl: string;
  readonly crews: ServedCrews;
  readonly supervisor: Supervisor;
  note(message: string): void;
  /** An address that opens a local studio once. */
  createStudioLink(): string;
  /** Takes no more runs, lets turns under way finish within the time, and ends streams and connections. */
  stop(graceMs: number): Promise<void>;
}

/** Starts a server. It listens when this resolves. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, publicUrl, variables, secret } = options;
  const redactor = createRedactor(variables);
  const log = createRequestLog(options, redactor.redact);
  const tokens = new TokenBook(secret === undefined ? [] : [createOperator(secret)], options.tokensFile, log.note);
  const metrics: Metrics = createMetrics({
    running: () => supervisor.active,
    queued: () => supervisor.queued,
    readers: () => streams.size,
    dropped: () => streams.dropped,
    paused: async () => (await store.list({ status: "paused" })).length,
  });
  const changes = new StoreChanges();
  const store = changes.observe(metrics.observe(options.store));
  const crews = new ServedCrews(options.paths, { ...options.crews, store, setup: chooseSetup(options) });
  const channels: RunChannels = new RunChannels(store, (runId): boolean => supervisor.isOurs(runId));
  const streams = new EventStreams();
  const spending = new Spending(store);
  const statistics = new RunStatisticsReader(store);
  const watching = {
    onEvent(event: BatonEvent) {
      channels.tell(event);
      metrics.see(event);
    },
    onResult({ cost }: RunResult, by: string | undefined) {
      const noteFailure = (error: unknown) => log.note(`the cost of a run was not counted: ${describeThrown(error)}`);
      if (by !== undefined) spending.add(by, cost.usd ?? 0, Date.now()).catch(noteFailure);
    },
    note: log.note,
  };
  const opened = await openCluster(options, { observed: store, crews, channels, metrics, ...watching });
  const supervisor: Supervisor = opened?.supervisor ?? new RunSupervisor({ ...options, store, crews, ...watching });
  const document = describeApi(routes, publicUrl);
  const studio = options.studio && openStudio(options.studio, { store, tokens, publicUrl });
  const service = {
    ...{ store, crews, supervisor, channels, streams, metrics, changes, spending, statistics, variables },
    ...{ a2aCrew: chooseA2aCrew(crews, options.a2aCrew), pushAllow: options.pushAllow, studio },
    mcp: lazyMcpHttp(
      { store, crews, supervisor, channels, spending },
      { ...options.mcp, recovers: options.recovers, isLocal: false, note: log.note },
    ),
    describe: () => document,
  };
  const server = createHttpServer(service, { tokens, log, options });
  const address = await listenSomewhere(server, options).catch((error: unknown) => {
    streams.close();
    throw error;
  });
  const localUrl = `http://${host.includes(":") ? `[${host}]` : host}:${address}`;
  const endings = [startChores(service, log.note)];
  const stop = async (graceMs: number) => {
    for (const end of endings) end();
    await supervisor.stop(graceMs);
    await opened?.stop(graceMs);
    streams.close();
    await close(server);
  };
  if (studio?.isLocal !== true) endings.push(await takeUp({ store, crews, supervisor, note: log.note }, stop));
  if (options.watch) endings.push(watchCrews(crews, log.note));
  return {
    ...{ url: publicUrl ?? localUrl, localUrl, crews, supervisor, note: log.note },
    createStudioLink: () => `${localUrl}/studio/#code=${studio?.sessions.createCode(Date.now()) ?? ""}`,
    stop,
  };
}

/** The named crew, or the only one. */
function chooseA2aCrew(crews: ServedCrews, named: string | undefined): string | undefined {
  const names = crews.list().map(({ name }) => name);
  if (named === undefined) return names.length === 1 ? names[0] : undefined;
  if (names.includes(named)) return named;
  throw new BatonError("bad-options", `--a2a: there is no crew '${named}'; there is ${names.join(", ")}`);
}

/** Where workers run what is queued, the server's own crews only queue. */
function chooseSetup({ cluster, crews: { setup } }: ServerOptions): ServedCrewsOptions["setup"] {
  return cluster === undefined ? setup : { ...setup, leaseMs: cluster.leaseMs, onlyQueues: true };
}

/** Imports what only those need who use several machines. */
async function openCluster(
  { cluster, crews: given, paths, store }: ServerOptions,
  watching: Omit<OpeningCluster, "cluster" | "given" | "paths" | "store">,
): Promise<OpenedCluster | undefined> {
  if (cluster === undefined) return undefined;
  return (await import("./cluster/open-cluster.ts")).openCluster({ ...watching, cluster, given, paths, store });
}

/** A server of node:http that answers with the routes; those of the studio are there where it has one. */
function createHttpServer(
  service: Service,
  { tokens, log, options }: Pick<AppOptions, "tokens" | "log"> & { readonly options: ServerOptions },
): Server {
  const { maxBody, isMetricsPublic } = options;
  const own = service.studio === undefined ? [] : studioRoutes;
  const checks = { guard: createGuard(options), tokens, limits: new RateLimits(), maxBody, isMetricsPublic };
  const app = createApp({ routes: [...routes, ...own], service, log, ...checks });
  // Without an options object of type HTTP/2, the server is one of node:http.
  return createAdaptorServer({ fetch: app.fetch }) as Server;
}

/** Continues what waits in the store, and begins what is due by its time. If that cannot be, the server stops. */
async function takeUp(
  parts: Parameters<typeof startSchedules>[0] & { readonly supervisor: Supervisor },
  stop: (graceMs: number) => Promise<void>,
): Promise<() => void> {
  try {
    await parts.supervisor.begin();
    return await startSchedules(parts);
  } catch (error) {
    await stop(0);
    throw error;
  }
}

async function listenSomewhere(server: Server, { host, port, takesAnyPort = false }: ServerOptions): Promise<number> {
  try {
    return await listen(server, host, port);
  } catch (error) {
    // Only what Node throws while a server begins to listen comes here.
    const failure = error as NodeJS.ErrnoException;
    if (takesAnyPort && failure.code === "EADDRINUSE") return await listen(server, host, 0);
    throw explainListening(failure, host, port);
  }
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function explainListening(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const explain = (message: string) => new BatonError("bad-options", message, { cause: error });
  switch (error.code) {
    case "EADDRINUSE":
      return explain(
        `another program listens on port ${port} of ${host}: choose another port with --port, or 0 for a free one`,
      );
    case "EACCES":
      return explain(`this user may not listen on port ${port}: choose one above 1023 with --port`);
    case "ENOTFOUND":
    case "EADDRNOTAVAIL":
      return explain(
        `'${host}' is not an address of this machine: choose another one with --host, such as 0.0.0.0 for all`,
      );
    default:
      return error;
  }
}

/** Ends connections that nobody uses at once, and the others as soon as their answers are sent. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1000).unref();
  });
}
