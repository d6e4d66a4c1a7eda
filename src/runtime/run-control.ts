import type { Clock, Wait } from "../run/clock.ts";
import type { Run } from "../run/run.ts";
import type { RunOptions } from "./environment.ts";

/** How long turns under way may take when a run is released, unless the caller says otherwise. */
export const GRACE_MS = 10_000;

/** Thrown when a run leaves its process before its end. Everything it did is in the journal, so another process can continue it. */
export class RunReleased extends Error {
  constructor() {
    super("the run was released");
    this.name = "RunReleased";
  }
}

/** Ends or releases one run from outside: for its caller, its handle, or another process that asks through the store. */
export class RunControl {
  /** Whether nothing more may be called. */
  isAborted = false;
  /** Whether the run ends before its next turn. */
  isStopping = false;
  readonly #clock: Clock;
  #run: Pick<Run, "cancel" | "release"> | undefined;
  #leave: ((error: RunReleased) => void) | undefined;
  #graceMs: number | undefined;
  #wait: Wait | undefined;
  #listening: { readonly signal: AbortSignal; readonly onAbort: () => void }[] | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the run is not to begin any more. */
  get isLeaving(): boolean {
    return this.isAborted || this.isStopping || this.isReleased;
  }

  get isReleased(): boolean {
    return this.#graceMs !== undefined;
  }

  /** Cancels the run at once. */
  abort(): void {
    if (this.isAborted) return;
    this.isAborted = true;
    this.#cancel();
  }

  /** Lets nothing more be called, and leaves what is under way alone. */
  abortAtNextStep(): void {
    this.isAborted = true;
  }

  /** Cancels the run before its next turn. */
  stop(): void {
    this.isStopping = true;
  }

  /** Lets the run leave once its turns under way are done, after `graceMs` at the latest. */
  release(graceMs = GRACE_MS): void {
    if (this.#graceMs !== undefined) return;
    this.#graceMs = graceMs;
    this.#release();
  }

  /** Obeys the signals of a caller until `close`. */
  listen({ signal, stop, release, graceMs }: Pick<RunOptions, "signal" | "stop" | "release" | "graceMs">): void {
    if (signal !== undefined) this.#follow(signal, () => this.abort());
    if (stop !== undefined) this.#follow(stop, () => this.stop());
    if (release !== undefined) this.#follow(release, () => this.release(graceMs));
  }

  /** Resolves with the outcome of `run`, or rejects with `RunReleased` when the run leaves before its end. */
  watch<Outcome>(run: Pick<Run, "cancel" | "release">, begin: () => Promise<Outcome>): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#run = run;
      this.#leave = reject;
      if (this.isAborted) this.#cancel();
      // A run that is released before it begins calls nothing at all.
      if (this.#graceMs !== undefined) this.#release();
      begin().then(resolve, reject);
    });
  }

  /** Forgets the run that was watched. */
  unwatch(): void {
    this.#wait?.callOff();
    this.#run = undefined;
    this.#leave = undefined;
  }

  close(): void {
    for (const { signal, onAbort } of this.#listening ?? []) signal.removeEventListener("abort", onAbort);
    this.#listening = undefined;
  }

  #follow(signal: AbortSignal, onAbort: () => void): void {
    if (signal.aborted) onAbort();
    else {
      signal.addEventListener("abort", onAbort, { once: true });
      this.#listening = [...(this.#listening ?? []), { signal, onAbort }];
    }
  }

  /** Deferred, because the caller may abort while it is being told of an event. */
  #cancel(): void {
    const run = this.#run;
    if (run !== undefined) this.#clock.defer(() => run.cancel("cancelled"));
  }

  #release(): void {
    const leave = this.#leave;
    if (leave === undefined) return;
    const released = () => leave(new RunReleased());
    this.#run?.release(released);
    this.#wait = this.#clock.after(this.#graceMs ?? GRACE_MS, released);
  }
}
