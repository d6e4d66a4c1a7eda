import { existsSync } from "node:fs";
import { BatonError } from "../errors.ts";
import type { BatonEvent } from "../events.ts";
import { readCrewCopy } from "../host/crew-copy.ts";
import { type CrewHandle, openCrew } from "../host/crew-handle.ts";
import { loadCrew } from "../host/load-crew.ts";
import type { RunId } from "../ids.ts";
import type { Store } from "../run/store.ts";
import { type ApprovalOptions, approvalOf } from "./approve-servers.ts";
import { findRun } from "./find-run.ts";
import { openExistingStore, rootOf } from "./open-store.ts";
import { explain, type ModelOptions, modelSource } from "./run.ts";
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
    store = await openExistingStore(options.root ?? rootOf(".", terminal), terminal);
    return await go(store);
  } catch (error) {
    if (error instanceof BatonError) return explain(error, options, terminal);
    throw error;
  } finally {
    await store?.close();
  }
}

/** The crew as it is now, or, where it is gone, as the store remembers it. */
export async function crewOf(
  events: readonly BatonEvent[],
  store: Store,
  options: ModelOptions & ApprovalOptions,
  terminal: Terminal,
): Promise<CrewHandle> {
  const [started] = events;
  if (started?.type !== "run.started") throw new BatonError("unknown-run", "the run has not begun");
  const { source, fingerprint, variables = {} } = started.data;
  const models = modelSource(options, terminal);
  const approval = approvalOf(options, terminal);
  if (source !== undefined && existsSync(source)) {
    const { workingDirectory } = terminal;
    return loadCrew(source, { workingDirectory, models, store, variables, ...approval });
  }
  const crew = await readCrewCopy(store, fingerprint);
  if (crew === undefined)
    throw new BatonError("unknown-crew", `the crew of the run, ${source}, is gone, and there is no copy of it`);
  return openCrew(crew, [], { models, store, variables, ...approval });
}
