import { findPostgresPort } from "../journal/postgres-port.ts";
import type { Store } from "../journal/store.ts";
import type { StartOptions } from "../runtime/environment.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { beginStored, type StartRun } from "./begin-stored.ts";

/** How a run is queued. */
export interface EnqueueOptions extends Omit<StartOptions, "queue" | "isServed"> {
  /** 0 is the most urgent. The default is that of the queue, which is 100 unless baton.yaml says otherwise. */
  readonly priority?: number;
  /** The run does not begin before this time has passed, in milliseconds. */
  readonly delayMs?: number;
  /** Starts at most one run for the key within a day. */
  readonly idempotencyKey?: string;
}

/** Stores a run that a worker or a server on the same store begins. */
export async function enqueueRun(
  store: Store | undefined,
  crew: string,
  start: StartRun,
  input: string,
  { priority, delayMs, idempotencyKey, ...options }: EnqueueOptions,
): Promise<RunId> {
  if (store === undefined)
    throw new BatonError("bad-option", "a run that waits for a worker needs a store: pass one to loadCrew");
  // A file's server looks for what waits. Only workers on a database have to be told.
  if (findPostgresPort(store) !== undefined) await (await import("../dispatch/open-dispatch.ts")).openDispatch(store);
  const queue = { ...(priority !== undefined && { priority }), ...(delayMs !== undefined && { delayMs }) };
  const { id } = await beginStored(store, start, input, {
    ...options,
    queue,
    isServed: true,
    ...(idempotencyKey !== undefined && {
      idempotency: { key: JSON.stringify(["enqueue", crew, idempotencyKey]), request: input },
    }),
  });
  return id;
}
