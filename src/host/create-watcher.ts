import type { BatonEvent } from "../events.ts";

/** Somebody who is told of a run's events. */
export interface Watcher {
  tell(event: BatonEvent): void;
  /** Whether the watcher threw something: the run goes no further. */
  hasFailed(): boolean;
  /** Throws what the watcher threw. */
  close(): void;
}

/** What a watcher throws does not break the run in the middle of a step: it ends at the next, and the caller gets what was thrown. */
export function createWatcher(onEvent: ((event: BatonEvent) => unknown) | undefined): Watcher {
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
  };
  return {
    tell(event) {
      if (onEvent === undefined || failure !== undefined) return;
      try {
        const told = onEvent(event);
        if (told instanceof Promise) told.catch(fail);
      } catch (error) {
        fail(error);
      }
    },
    hasFailed: () => failure !== undefined,
    close() {
      if (failure !== undefined) throw failure.error;
    },
  };
}
