import { describeThrown } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";

/** Somebody who is told of a run's events. */
export interface Watcher {
  tell(event: BatonEvent): void;
  /** Whether the watcher threw something: the run goes no further. */
  hasFailed(): boolean;
  /** Throws what the watcher threw. */
  close(): void;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** What a watcher throws does not break the run in the middle of a step: it ends at the next, and the caller gets what was thrown. */
export function createWatcher(onEvent: ((event: BatonEvent) => unknown) | undefined): Watcher {
  let failure: { readonly error: unknown } | undefined;
  let isClosed = false;
  const fail = (error: unknown) => {
    failure ??= { error };
    // The caller has its result already, but what went wrong must not go unnoticed.
    if (isClosed)
      process.emitWarning(`onEvent failed after the run's result was given: ${describeThrown(error)}`, "Baton");
  };
  return {
    tell(event) {
      if (onEvent === undefined || failure !== undefined) return;
      try {
        const told = onEvent(event);
        if (isThenable(told)) told.then(undefined, fail);
      } catch (error) {
        fail(error);
      }
    },
    hasFailed: () => failure !== undefined,
    close() {
      isClosed = true;
      if (failure !== undefined) throw failure.error;
    },
  };
}
