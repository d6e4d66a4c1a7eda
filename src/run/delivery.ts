import type { Clock } from "./clock.ts";

/**
 * Lets results in one at a time: what follows from one is done before the next. So a journal's order is an order in which
 * the run can be gone over again. A lone effect needs no waiting for its turn.
 */
export interface Delivery {
  started(): void;
  finished(): void;
  now(deliver: () => void): void;
}

export function createDelivery(clock: Clock): Delivery {
  const queue: (() => void)[] = [];
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
  return {
    started: () => void inFlight++,
    finished: () => void inFlight--,
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
