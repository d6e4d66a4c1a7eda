import type { Clock } from "./clock.ts";

export interface VirtualClock extends Clock {
  /** Lets time pass until then, where it is not later already. */
  passUntil(time: number): void;
}

/** Time that passes when nothing else is left to do: an hour's wait takes no longer than a reply's. Ties go in order. */
export function createVirtualClock(start = Date.UTC(2026, 0, 1)): VirtualClock {
  const timers: { readonly at: number; readonly callback: () => void }[] = [];
  const deferred: (() => void)[] = [];
  let now = start;
  let isTicking = false;

  const tick = (): void => {
    const task = deferred.shift() ?? dueTimer();
    if (task === undefined) {
      isTicking = false;
      return;
    }
    task();
    setImmediate(tick);
  };
  const dueTimer = (): (() => void) | undefined => {
    const next = timers.shift();
    if (next === undefined) return undefined;
    now = Math.max(now, next.at);
    return next.callback;
  };
  const wake = (): void => {
    if (isTicking) return;
    isTicking = true;
    setImmediate(tick);
  };

  return {
    now: () => now,
    passUntil(time) {
      now = Math.max(now, time);
    },
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      const position = timers.findIndex(({ at }) => at > timer.at);
      timers.splice(position === -1 ? timers.length : position, 0, timer);
      wake();
      return {
        callOff() {
          const index = timers.indexOf(timer);
          if (index !== -1) timers.splice(index, 1);
        },
      };
    },
    defer(callback) {
      deferred.push(callback);
      wake();
    },
  };
}
