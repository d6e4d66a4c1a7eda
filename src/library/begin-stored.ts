import type { DocumentWrite, Store } from "../journal/store.ts";
import { findIdempotentRun, type Idempotency, writeIdempotency } from "../run-storage/idempotency.ts";
import type { CrewInput } from "../runtime/bring-files.ts";
import type { StartOptions } from "../runtime/environment.ts";
import type { LiveRun, RunHandle } from "../runtime/live-run.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { type RunId, toRunId } from "../vocabulary/ids.ts";

/** Options for a start that returns as soon as the run is stored. */
export interface BeginOptions extends StartOptions {
  /** Starts at most one run for the key within a day. */
  readonly idempotency?: Idempotency;
}

/** A run that is stored. */
export interface BegunRun<Object = unknown> {
  readonly id: RunId;
  /** Absent if an earlier call with the same idempotency key started the run. */
  readonly handle?: RunHandle<Object>;
}

/** Starts a run, with documents that become durable together with its first event. */
export type StartRun = (
  input: CrewInput,
  options: StartOptions,
  createDocuments?: (runId: RunId) => readonly DocumentWrite[],
) => LiveRun;

/** Starts a run, or finds the one that the same key started, and resolves when it is stored. */
export async function beginStored(
  store: Store | undefined,
  start: StartRun,
  input: CrewInput,
  { idempotency, ...options }: BeginOptions,
): Promise<BegunRun> {
  if (idempotency === undefined) return waitForFirstEvent(start(input, options));
  if (store === undefined)
    throw new BatonError("bad-option", "the option 'idempotency' needs a store: pass one to loadCrew");
  for (;;) {
    const found = await findIdempotentRun(store, idempotency);
    if (found.runId !== undefined) return { id: toRunId(found.runId) };
    try {
      return await waitForFirstEvent(
        start(input, options, (runId) => [writeIdempotency(idempotency, runId, found.version)]),
      );
    } catch (error) {
      // Somebody else has used the key in the meantime.
      if (!(error instanceof BatonError) || error.code !== "document-changed") throw error;
    }
  }
}

async function waitForFirstEvent(handle: LiveRun): Promise<BegunRun> {
  for await (const _ of handle.events) return { id: handle.id, handle };
  // A run that was refused has no events, and its result says why.
  await handle.result;
  return { id: handle.id, handle };
}
