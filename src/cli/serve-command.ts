import { resolve } from "node:path";
import { findPostgresPort } from "../journal/postgres-port.ts";
import type { Store } from "../journal/store.ts";
import { parseModels } from "../prepare/prepare-models.ts";
import type { ClusterOptions } from "../server/cluster/open-cluster.ts";
import type { RunningServer } from "../server/start-server.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { type ApprovalOptions, createApproval } from "./approve-servers.ts";
import { findRoot, openStore } from "./open-store.ts";
import { chooseModelSource, explain, type ModelOptions } from "./run-command.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { waitForEnd } from "./wait-for-end.ts";

export interface ServeOptions extends ModelOptions, ApprovalOptions {
  readonly host: string;
  readonly port: number;
  readonly maxRuns: number;
  readonly maxBody: number;
  readonly grace: number;
  readonly origin?: readonly string[];
  readonly allowedHost?: readonly string[];
  readonly tokens?: string;
  readonly publicUrl?: string;
  readonly trustProxy?: boolean;
  /** The crew whose A2A card is that of the server. */
  readonly a2a?: string;
  readonly pushAllow?: readonly string[];
  readonly metricsPublic?: boolean;
  /** False where runs that were interrupted stay as they are. */
  readonly recover: boolean;
  readonly watch?: boolean;
  readonly work?: boolean;
  readonly name?: string;
  readonly lease: number;
  /** Whether people with tokens get the studio. */
  readonly studio?: boolean;
  readonly log?: "text" | "json";
  readonly json?: boolean;
  readonly root?: string;
}

/** `baton serve`: serves crews over HTTP until the process is told to end. */
export async function serve(paths: readonly string[], options: ServeOptions, terminal: Terminal): Promise<number> {
  const named = paths.length === 0 ? ["."] : paths;
  return await serveUntilEnd(named, options, terminal, (server, made) => {
    const { url } = server;
    if (options.json)
      terminal.print(JSON.stringify({ url, token: terminal.variables["BATON_TOKEN"] || (made ?? null) }));
    const names = server.crews.list().map(({ name }) => name);
    terminal.note(`serving ${names.join(", ")} at ${url}`);
    if (options.studio) terminal.note(`the studio is at ${url}/studio/; people log in with their tokens`);
    if (made !== undefined && !options.json) terminal.note(`token for this start: ${made}`);
  });
}

/** Starts a server, tells its caller of it with the token that was made if there was none, and waits until the process is told to end. */
export async function serveUntilEnd(
  paths: readonly string[],
  options: ServeOptions & { readonly localStudio?: { readonly canWrite: boolean } },
  terminal: Terminal,
  onStarted: (server: RunningServer, made: string | undefined) => void,
): Promise<number> {
  const { workingDirectory, variables } = terminal;
  const { localStudio } = options;
  let store: Store | undefined;
  try {
    if (options.model !== undefined) parseModels(options.model);
    const { startServer, createSecret, findStudioFolder } = await importServer();
    const given = variables["BATON_TOKEN"] || undefined;
    const isTokenNeeded = given === undefined && options.tokens === undefined && localStudio === undefined;
    const made = isTokenNeeded ? createSecret() : undefined;
    const hasStudio = options.studio === true || localStudio !== undefined;
    const folder = hasStudio ? findStudioFolder() : "";
    store = await openStore(options.root ?? findRoot(paths[0] ?? ".", terminal), terminal);
    const server = await startServer({
      paths,
      crews: {
        workingDirectory,
        root: options.root,
        setup: { models: chooseModelSource(options, terminal), ...createApproval(options, terminal) },
      },
      store,
      host: options.host,
      port: options.port,
      takesAnyPort: localStudio !== undefined,
      secret: given ?? made,
      tokensFile: options.tokens === undefined ? undefined : resolve(workingDirectory, options.tokens),
      origins: options.origin ?? [],
      allowedHosts: options.allowedHost ?? [],
      publicUrl: options.publicUrl?.replace(/\/+$/, ""),
      trustsProxy: options.trustProxy === true,
      a2aCrew: options.a2a,
      pushAllow: options.pushAllow ?? [],
      maxRuns: options.maxRuns,
      maxBody: options.maxBody,
      recovers: options.recover,
      isMetricsPublic: options.metricsPublic === true,
      isLogJson: options.log === "json",
      logsRequests: localStudio === undefined,
      variables,
      write: terminal.note,
      watch: options.watch === true,
      // A local studio runs what is started in it by itself, also where workers share its store.
      cluster: localStudio === undefined ? chooseCluster(options, store) : undefined,
      ...(hasStudio && {
        studio: { folder, isLocal: localStudio !== undefined, canWrite: localStudio?.canWrite === true },
      }),
    });
    const release = terminal.divertTools();
    // Whoever is told that it serves may end it at once.
    const ended = waitForEnd(terminal, options.grace);
    onStarted(server, made);
    await ended;
    await server.stop(options.grace);
    release();
    return exitCodes.completed;
  } catch (error) {
    if (error instanceof BatonError) return explain(error, {}, terminal);
    throw error;
  } finally {
    await store?.close();
  }
}

/** A database shares its runs with every process that uses it; a file is served by one. */
function chooseCluster({ work = false, name, lease }: ServeOptions, store: Store): ClusterOptions | undefined {
  if (findPostgresPort(store) !== undefined) return { isWorking: work, name, leaseMs: lease };
  if (!work) return undefined;
  throw new BatonError(
    "bad-store",
    "--work shares runs through PostgreSQL; with a file as its store, serve always runs everything itself: leave --work out, or give --store postgres://…",
  );
}

/** Only who serves loads a server. */
async function importServer() {
  const [{ startServer }, { createSecret }, { findStudioFolder }] = await Promise.all([
    import("../server/start-server.ts"),
    import("../server/token.ts"),
    import("../server/studio/studio-files.ts"),
  ]);
  return { startServer, createSecret, findStudioFolder };
}
