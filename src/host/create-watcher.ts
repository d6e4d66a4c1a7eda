import type { BatonEvent } from "../events.ts";

/** Somebody who is told of a run's events, and may end it. */
export interface Watcher {
  tell(event: BatonEvent): void;
  /** Aborted when the caller aborts the run, or when the watcher fails. */
  readonly signal: AbortSignal | undefined;
  /** Throws what the watcher threw: the run was cancelled because of it. */
  close(): void;
}

export interface Watching {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: BatonEvent) => unknown;
}

/** A watcher that fails ends the run, in an order that can be recorded, and its caller gets what it threw. */
export function createWatcher({ signal, onEvent }: Watching): Watcher {
  if (onEvent === undefined) return { tell: () => {}, signal, close: () => {} };
  const ending = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const abort = () => ending.abort();
  const fail = (error: unknown) => {
    failure ??= { error };
    abort();
  };
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  return {
    signal: ending.signal,
    tell(event) {
      if (failure !== undefined) return;
      try {
        const told = onEvent(event);
        if (told instanceof Promise) told.catch(fail);
      } catch (error) {
        fail(error);
      }
    },
    close() {
      signal?.removeEventListener("abort", abort);
      if (failure !== undefined) throw failure.error;
    },
  };
}
