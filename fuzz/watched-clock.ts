import type { Clock } from "../src/run/clock.ts";

/** A clock that knows what of its own is still to come. */
export interface WatchedClock extends Clock {
  /** What waits to be called back. */
  readonly left: { readonly timers: number; readonly deferred: number };
  /** How often it has called back. */
  readonly calls: number;
}

export function watchClock(clock: Clock): WatchedClock {
  let timers = 0;
  let deferred = 0;
  let calls = 0;
  return {
    now: clock.now,
    get left() {
      return { timers, deferred };
    },
    get calls() {
      return calls;
    },
    after(ms, callback) {
      let isLeft = true;
      timers++;
      const leave = () => {
        if (isLeft) timers--;
        isLeft = false;
      };
      const wait = clock.after(ms, () => {
        leave();
        calls++;
        callback();
      });
      return {
        callOff() {
          leave();
          wait.callOff();
        },
      };
    },
    defer(callback) {
      deferred++;
      clock.defer(() => {
        deferred--;
        calls++;
        callback();
      });
    },
  };
}

/** Everything that can go on without the clock has done so. */
export function quiescence(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
