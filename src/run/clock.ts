/** The time a run lives in: the machine's, or a scenario's own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once `ms` have passed; returns what calls that off. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back when everything that can go on now has done so. */
  defer(callback: () => void): void;
}

/** Longer waits would make Node fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMEOUT_MS));
    return () => clearTimeout(timer);
  },
  defer: (callback) => void setImmediate(callback),
};

/** Waits, unless the signal is aborted first; then the timer is gone too, and the reason is thrown. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      callOff();
      reject(signal.reason);
    };
    const callOff = clock.after(ms, () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
