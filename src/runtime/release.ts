import type { Clock, Wait } from "../run/clock.ts";
import type { Run } from "../run/run.ts";

/** How long the calls under way may take when a run is released, unless the caller says otherwise. */
export const GRACE_MS = 10_000;

/** Unwinds a run that leaves its process. Everything it did is in the journal, so another process can continue it. */
export class RunReleased extends Error {
  constructor() {
    super("the run was released");
    this.name = "RunReleased";
  }
}

/** Lets one run leave its process: the calls under way finish, and no others begin. A class, since every run has one. */
export class Release {
  readonly #clock: Clock;
  #graceMs: number | undefined;
  #begin: (() => void) | undefined;
  #wait: Wait | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isAsked(): boolean {
    return this.#graceMs !== undefined;
  }

  /** Asks the run to leave once its calls under way are done, and in any case after `graceMs`. */
  ask(graceMs: number): void {
    if (this.#graceMs !== undefined) return;
    this.#graceMs = graceMs;
    this.#begin?.();
  }

  /** Asks the run to leave when a caller's signal says so; returns what stops listening to it. */
  listen(signal: AbortSignal | undefined, graceMs = GRACE_MS): () => void {
    if (signal === undefined) return () => {};
    const onAbort = () => this.ask(graceMs);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    return () => signal.removeEventListener("abort", onAbort);
  }

  /** Gives what the run comes to, or throws `RunReleased` where the run leaves before that. */
  watch<Outcome>(run: Pick<Run, "release">, begin: () => Promise<Outcome>): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const leave = () => reject(new RunReleased());
      const release = () => {
        run.release(leave);
        this.#wait = this.#clock.after(this.#graceMs ?? GRACE_MS, leave);
      };
      // V8 allocates a function literal that is assigned to a property in the old generation, where it would keep every run alive
      // until a full collection.
      this.#begin = release;
      // A run that is to leave already begins no call at all.
      if (this.#graceMs !== undefined) release();
      begin().then(
        (outcome) => {
          this.#close();
          resolve(outcome);
        },
        (error: unknown) => {
          this.#close();
          reject(error);
        },
      );
    });
  }

  #close(): void {
    this.#begin = undefined;
    this.#wait?.callOff();
  }
}
