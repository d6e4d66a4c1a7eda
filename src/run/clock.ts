/** The time a run lives in: the machine's, or a scenario's own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back after `ms`, unless the wait is cancelled. */
  after(ms: number, callback: () => void): Wait;
  /** Calls back after everything that can run now has run. */
  defer(callback: () => void): void;
}

/** A callback that waits for its time. */
export interface Wait {
  callOff(): void;
}

/** Longer waits would make Node fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = createSystemClock();

/** A wait that is called off before the event loop turns, as most limits of time are, costs no timer. */
function createSystemClock(): Clock {
  let waits: SystemWait[] = [];
  let isArming = false;
  const arm = () => {
    isArming = false;
    for (const wait of waits) wait.arm();
    waits = [];
  };
  return {
    now: () => Date.now(),
    after(ms, callback) {
      const wait = new SystemWait(Math.min(ms, MAX_TIMEOUT_MS), callback);
      if (waits.length === MANY_WAITS) waits = waits.filter(({ isOff }) => !isOff);
      if (waits.length >= MANY_WAITS) wait.arm();
      else waits.push(wait);
      if (!isArming) {
        isArming = true;
        setImmediate(arm);
      }
      return wait;
    },
    // A tick that is asked for by a microtask comes when no microtask is left; a turn of the event loop would cost several times as much.
    defer: (callback) => queueMicrotask(() => process.nextTick(callback)),
  };
}

/** So many may wait for the event loop to turn, which it does not do while everything is answered at once. */
const MANY_WAITS = 64;

class SystemWait implements Wait {
  isOff = false;
  readonly #ms: number;
  readonly #callback: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, callback: () => void) {
    this.#ms = ms;
    this.#callback = callback;
  }

  arm(): void {
    if (!this.isOff) this.#timer = setTimeout(this.#callback, this.#ms);
  }

  callOff(): void {
    this.isOff = true;
    clearTimeout(this.#timer);
  }
}

/** Waits, unless the signal is aborted first; then the timer is gone too, and the reason is thrown. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      wait.callOff();
      reject(signal.reason);
    };
    const wait = clock.after(ms, () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
