import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { isInside } from "../definition/read-text.ts";
import { listCrews } from "../flow/list-crews.ts";
import type { Store } from "../journal/store.ts";
import { type CrewHandle, openCrew } from "../library/crew-handle.ts";
import { openFiles } from "../library/load-crew.ts";
import { readCrewCopy } from "../run-storage/crew-copy.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent, EventData } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { type ApprovalOptions, createApproval } from "./approve-servers.ts";
import { findRun } from "./find-run.ts";
import { findRoot, openExistingStore } from "./open-store.ts";
import { chooseModelSource, explain, type ModelOptions } from "./run-command.ts";
import type { Terminal } from "./terminal.ts";

export interface StoreOptions {
  readonly json?: boolean;
  readonly root?: string;
}

/** Does something with a run of the project's store; what is wrong with the call is said, and gives its exit code. */
export async function withRun(
  name: string,
  options: StoreOptions,
  terminal: Terminal,
  go: (runId: RunId, store: Store) => Promise<number>,
): Promise<number> {
  return withStore(options, terminal, async (store) => go((await findRun(name, store)).runId, store));
}

export async function withStore(
  options: StoreOptions,
  terminal: Terminal,
  go: (store: Store) => Promise<number>,
): Promise<number> {
  let store: Store | undefined;
  try {
    store = await openExistingStore(options.root ?? findRoot(".", terminal), terminal);
    return await go(store);
  } catch (error) {
    if (error instanceof BatonError) return explain(error, options, terminal);
    throw error;
  } finally {
    await store?.close();
  }
}

export interface CrewOptions extends ModelOptions, ApprovalOptions {
  readonly root?: string;
  /** Where the crew's files are, in the place of where the run says. */
  readonly crew?: string;
  /** Whether the crew is wanted as it was. */
  readonly original?: boolean;
}

/** The crew as it is now, or, where it is gone or wanted as it was, as the store remembers it. */
export async function loadCrewOfRun(
  events: readonly BatonEvent[],
  store: Store,
  options: CrewOptions,
  terminal: Terminal,
): Promise<CrewHandle> {
  const { source, fingerprint, variables = {}, allow } = readStart(events);
  const { workingDirectory } = terminal;
  const environment = {
    models: chooseModelSource(options, terminal),
    store,
    variables,
    ...createApproval(options, terminal),
  };
  const copy = await readCrewCopy(store, fingerprint);
  const file = options.crew ?? source;
  const isThere = file !== undefined && existsSync(resolve(workingDirectory, file));
  if (isThere && !(options.original && copy !== undefined)) {
    if (options.crew === undefined) refuseForeign(file, options, terminal);
    // A run that began with stubs continues with them.
    const stubTools = copy !== undefined && listCrews(copy).some(([, each]) => (each.stubTools ?? []).length > 0);
    const root = options.root === undefined ? {} : { root: options.root };
    const allowed = allow === undefined ? {} : { allow };
    return openFiles(file, { workingDirectory, stubTools, ...allowed, ...root }, environment);
  }
  if (copy === undefined)
    throw new BatonError("unknown-crew", `the crew of the run, ${source}, is gone, and there is no copy of it`);
  return openCrew(copy, [], { ...environment, root: resolve(options.root ?? findRoot(".", terminal)) });
}

/** The crew as it was, for what calls nothing: its files may be gone or broken. */
export async function loadCrewAsItWas(
  events: readonly BatonEvent[],
  store: Store,
  terminal: Terminal,
): Promise<CrewHandle> {
  return loadCrewOfRun(events, store, { original: true }, terminal);
}

function readStart([started]: readonly BatonEvent[]): EventData["run.started"] {
  if (started?.type !== "run.started") throw new BatonError("unknown-run", "the run has not begun");
  return started.data;
}

/** Runs are data, which may come with a project: they cannot have code run that is not in it. A store of one's own is trusted. */
function refuseForeign(source: string, { root }: CrewOptions, terminal: Terminal): void {
  const project = resolve(root ?? findRoot(".", terminal));
  const isOwnStore = ["BATON_HOME", "BATON_STORE"].some((name) => (terminal.variables[name] ?? "") !== "");
  if (isOwnStore || isInside(realpathSync(source), realpathSync(project))) return;
  throw new BatonError(
    "outside-root",
    `the crew of the run, ${source}, is outside the project root ${project}: if you trust it, name it with --crew ${source}`,
  );
}
