import type { RunId } from "../vocabulary/ids.ts";

/** Readers that wait for runs to continue. */
export interface WakeUps {
  /** Waits until the run may have continued, all runs may have, or the signal is aborted. */
  wait(runId: RunId, signal: AbortSignal): Promise<void>;
  wake(runId: RunId): void;
  wakeAll(): void;
}

/** `attend` is called when the first reader begins to wait. It returns a function to call when nobody waits any more. */
export function createWakeUps(attend: () => () => void = () => () => {}): WakeUps {
  const sleepers = new Map<RunId, Set<() => void>>();
  let leave: (() => void) | undefined;
  const add = (runId: RunId, wake: () => void) => {
    const others = sleepers.get(runId) ?? new Set();
    sleepers.set(runId, others.add(wake));
    leave ??= attend();
  };
  const remove = (runId: RunId, wake: () => void) => {
    const others = sleepers.get(runId);
    others?.delete(wake);
    if (others?.size === 0) sleepers.delete(runId);
    if (sleepers.size > 0) return;
    leave?.();
    leave = undefined;
  };
  const wake = (runId: RunId) => {
    for (const each of [...(sleepers.get(runId) ?? [])]) each();
  };
  return {
    wait(runId, signal) {
      return new Promise((resolve) => {
        const onWake = () => {
          remove(runId, onWake);
          signal.removeEventListener("abort", onWake);
          resolve();
        };
        if (signal.aborted) return resolve();
        add(runId, onWake);
        signal.addEventListener("abort", onWake, { once: true });
      });
    },
    wake,
    wakeAll() {
      for (const runId of [...sleepers.keys()]) wake(runId);
    },
  };
}
