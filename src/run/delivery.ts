import type { Clock } from "./clock.ts";

/**
 * Lets results in one at a time: what follows from one is done before the next. So a journal's order is an order in which
 * the run can be replayed. Where nothing goes on beside it, a result need not wait for its turn.
 */
export class Delivery {
  readonly #clock: Clock;
  readonly #queue: (() => void)[] = [];
  readonly #idlers: (() => void)[] = [];
  #inFlight = 0;
  #branchings = 0;
  #isDraining = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Call it when several branches begin to run at once. Call the function that it returns when they have joined again. */
  branch(): () => void {
    this.#branchings++;
    return () => void this.#branchings--;
  }

  started(): void {
    this.#inFlight++;
  }

  finished(): void {
    this.#inFlight--;
    this.#wakeIdlers();
  }

  /** Whether a result may be delivered at once, because nothing else is running. */
  isAlone(): boolean {
    return this.#branchings === 0 && !this.#isDraining;
  }

  now(deliver: () => void): void {
    if (this.isAlone()) {
      deliver();
      return;
    }
    this.#queue.push(deliver);
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#clock.defer(() => this.#drain());
  }

  /** Calls back when nothing is under way any more and nothing is left to be let in. */
  whenIdle(callback: () => void): void {
    this.#clock.defer(() => {
      if (this.#isIdle()) callback();
      else this.#idlers.push(callback);
    });
  }

  #drain(): void {
    const next = this.#queue.shift();
    if (next === undefined) {
      this.#isDraining = false;
      this.#wakeIdlers();
      return;
    }
    next();
    this.#clock.defer(() => this.#drain());
  }

  #wakeIdlers(): void {
    if (this.#isIdle()) for (const callback of this.#idlers.splice(0)) this.whenIdle(callback);
  }

  #isIdle(): boolean {
    return this.#inFlight === 0 && !this.#isDraining;
  }
}
