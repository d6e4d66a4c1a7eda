import type { Clock } from "./clock.ts";

/**
 * Lets results in one at a time: what follows from one is done before the next. So a journal's order is an order in which
 * the run can be gone over again. Where nothing goes on beside it, a result need not wait for its turn.
 */
export interface Delivery {
  /** Told when several things begin to go on at once; returns what says that they are one again. */
  branch(): () => void;
  started(): void;
  finished(): void;
  /** Whether a result may be let in at once, since nothing goes on beside it. */
  isAlone(): boolean;
  now(deliver: () => void): void;
  /** Calls back when nothing is under way any more and nothing is left to be let in. */
  whenIdle(callback: () => void): void;
}

export function createDelivery(clock: Clock): Delivery {
  const queue: (() => void)[] = [];
  const idlers: (() => void)[] = [];
  let inFlight = 0;
  let branchings = 0;
  let isDraining = false;
  const isAlone = () => branchings === 0 && !isDraining;
  const drain = (): void => {
    const next = queue.shift();
    if (next === undefined) {
      isDraining = false;
      wakeIdlers();
      return;
    }
    next();
    clock.defer(drain);
  };
  const wakeIdlers = (): void => {
    if (inFlight === 0 && !isDraining) for (const callback of idlers.splice(0)) whenIdle(callback);
  };
  const whenIdle = (callback: () => void): void =>
    clock.defer(() => {
      if (inFlight === 0 && !isDraining) callback();
      else idlers.push(callback);
    });
  return {
    branch() {
      branchings++;
      return () => void branchings--;
    },
    whenIdle,
    started: () => void inFlight++,
    finished() {
      inFlight--;
      wakeIdlers();
    },
    isAlone,
    now(deliver) {
      if (isAlone()) {
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
