import type { Clock } from "./clock.ts";

/**
 * Lets results in one at a time: what follows from one is done before the next. So a journal's order is an order in which
 * the run can be gone over again. A lone effect needs no waiting for its turn.
 */
export interface Delivery {
  started(): void;
  finished(): void;
  now(deliver: () => void): void;
  /** Calls back when nothing is under way any more and nothing is left to be let in. */
  whenIdle(callback: () => void): void;
}

export function createDelivery(clock: Clock): Delivery {
  const queue: (() => void)[] = [];
  const idlers: (() => void)[] = [];
  let inFlight = 0;
  let isDraining = false;
  const drain = (): void => {
    const next = queue.shift();
    if (next === undefined) {
      isDraining = false;
      return;
    }
    next();
    clock.defer(drain);
  };
  const whenIdle = (callback: () => void): void =>
    clock.defer(() => {
      if (inFlight === 0 && !isDraining) callback();
      else idlers.push(callback);
    });
  return {
    whenIdle,
    started: () => void inFlight++,
    finished() {
      inFlight--;
      if (inFlight === 0) for (const callback of idlers.splice(0)) whenIdle(callback);
    },
    now(deliver) {
      if (inFlight <= 1 && !isDraining) {
        deliver();
        return;
      }
      queue.push(deliver);
      if (isDraining) return;
      isDraining = true;
      clock.defer(drain);
    },
  };
}
