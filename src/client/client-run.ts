import type { RunHandle } from "../runtime/live-run.ts";
import type { RunResult } from "../views/run-result.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { Connection } from "./connection.ts";
import { followRun } from "./follow-run.ts";
import { RemoteError } from "./remote-error.ts";

/** A run on a server. It is a `RunHandle`, except that the server chooses the id: `await run.id`. */
export interface ClientRun<Object = unknown> extends Omit<RunHandle<Object>, "id"> {
  readonly id: Promise<RunId>;
}

/** The events of a run as they come, and its result. A reader that stops early cancels the run. */
export interface ClientStream<Object = unknown> extends AsyncIterable<BatonEvent> {
  readonly id: Promise<RunId>;
  readonly result: Promise<RunResult<Object>>;
}

/** A run that the server has accepted: its id, and the number of the first event that this start or answer adds. */
export interface AcceptedRun {
  readonly runId: RunId;
  readonly from?: number;
}

/** The handle of a run. `signal` cancels it. */
export function openRun<Object>(
  connection: Connection,
  accepted: Promise<AcceptedRun>,
  signal?: AbortSignal,
): ClientRun<Object> {
  const aborted = Promise.withResolvers<never>();
  for (const promise of [accepted, aborted.promise]) ignoreRejection(promise);
  const run: ClientRun<Object> = {
    get id() {
      return accepted.then(({ runId }) => runId);
    },
    get result() {
      return Promise.race([waitForResult<Object>(connection, accepted), aborted.promise]);
    },
    events: {
      async *[Symbol.asyncIterator]() {
        const { runId, from = 0 } = await accepted;
        yield* followRun(connection, runId, { fromSeq: from, hasDeltas: true });
      },
    },
    cancel: async () => {
      await cancelRun(connection, (await accepted).runId);
    },
  };
  watchSignal(signal, () => run.cancel().catch(aborted.reject));
  return run;
}

/** A run that is started with its stream, so that no delta is missed. */
export function openStream<Object>(
  connection: Connection,
  open: () => Promise<Response>,
  signal?: AbortSignal,
): ClientStream<Object> {
  const started = Promise.withResolvers<AcceptedRun>();
  const run = openRun<Object>(connection, started.promise, signal);
  const events = readStream(connection, open, started);
  // The run is started now, and not when somebody reads.
  const first = events.next();
  ignoreRejection(first);
  return {
    get id() {
      return run.id;
    },
    get result() {
      return run.result;
    },
    async *[Symbol.asyncIterator]() {
      let isOver = false;
      try {
        for (let next = await first; ; next = await events.next()) {
          isOver = next.done === true;
          if (next.done) return;
          yield next.value;
        }
      } catch (error) {
        isOver = true;
        throw error;
      } finally {
        if (!isOver) {
          await events.return();
          await run.cancel();
        }
      }
    },
  };
}

async function* readStream(
  connection: Connection,
  open: () => Promise<Response>,
  started: PromiseWithResolvers<AcceptedRun>,
): AsyncGenerator<BatonEvent, void, undefined> {
  try {
    for await (const event of followRun(connection, undefined, { fromSeq: 0, hasDeltas: true, open })) {
      started.resolve({ runId: event.runId });
      yield event;
    }
  } catch (error) {
    started.reject(error);
    throw error;
  }
}

/** Cancels a run, and resolves when that is stored. A run that has ended stays as it is. */
async function cancelRun(connection: Connection, runId: RunId): Promise<void> {
  try {
    await requestCancel(connection, runId);
  } catch (error) {
    if (!(error instanceof RemoteError) || error.code !== "run-ended") throw error;
  }
}

export async function requestCancel(connection: Connection, runId: string): Promise<void> {
  const { status } = await connection.json<{ readonly status: string }>(`v1/runs/${encodeURIComponent(runId)}/cancel`, {
    method: "POST",
  });
  if (status === "cancelled") return;
  // Another process has the run, and ends it in a moment.
  await waitForRest(connection, runId, 0);
}

export function readResult<Object>(connection: Connection, runId: string): Promise<RunResult<Object>> {
  return connection.persist(() => connection.json<RunResult<Object>>(`v1/runs/${encodeURIComponent(runId)}`));
}

async function waitForResult<Object>(
  connection: Connection,
  accepted: Promise<AcceptedRun>,
): Promise<RunResult<Object>> {
  const { runId, from = 0 } = await accepted;
  for (let next = from; ; ) {
    next = await waitForRest(connection, runId, next);
    const result = await readResult<Object>(connection, runId);
    // Somebody may have answered the pause in the meantime.
    if (result.status !== "running" && result.status !== "queued") return result;
  }
}

/** Waits until a run ends or pauses; returns the number of its next event. */
async function waitForRest(connection: Connection, runId: string, fromSeq: number): Promise<number> {
  let next = fromSeq;
  for await (const { seq } of followRun(connection, runId, { fromSeq, hasDeltas: false }))
    if (seq !== undefined) next = seq + 1;
  return next;
}

function watchSignal(signal: AbortSignal | undefined, callback: () => void): void {
  if (signal?.aborted) callback();
  else signal?.addEventListener("abort", callback, { once: true });
}

/** Whoever waits for the promise is told; nobody has to. */
function ignoreRejection(promise: Promise<unknown>): void {
  promise.catch(() => {});
}
