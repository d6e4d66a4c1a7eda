import type { Script } from "../models/script-model.ts";
import type { Clock } from "../run/clock.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { RunOptions } from "./environment.ts";
import { type CancelPaused, LiveRun, type ReadObject, type RunOwner, type RunWork } from "./live-run.ts";
import { RunControl } from "./run-control.ts";

interface OpenRunsOptions {
  readonly clock: Clock;
  readonly cancelPaused: CancelPaused;
  readonly readObject: ReadObject;
}

/** The runs of a crew that this process has under way. */
export class OpenRuns implements RunOwner {
  readonly #clock: Clock;
  readonly cancelPaused: CancelPaused;
  readonly readObject: ReadObject;
  readonly #open = new Set<LiveRun>();
  /** Scripts that were given in code, by run, as long as the run may continue here. */
  readonly #scripts = new Map<RunId, Script>();
  #graceMs: number | undefined;

  constructor({ clock, cancelPaused, readObject }: OpenRunsOptions) {
    this.#clock = clock;
    this.cancelPaused = cancelPaused;
    this.readObject = readObject;
  }

  open(id: RunId, options: RunOptions, work: RunWork): LiveRun {
    const run = new LiveRun(id, options, new RunControl(this.#clock), work, this);
    this.#open.add(run);
    return run;
  }

  /** The script that a run was given when it was started or continued here. */
  scriptOf(id: RunId): Script | undefined {
    return this.#scripts.get(id);
  }

  /** Refuses new runs after `close`. */
  admit(): void {
    if (this.#graceMs !== undefined)
      throw new BatonError("crew-closed", "the crew is closed: it starts and continues no runs");
  }

  ended(run: LiveRun): void {
    this.#open.delete(run);
    if (run.standing === "ended") this.#scripts.delete(run.id);
    else if (run.standing === "open" && run.options.script !== undefined) this.#scripts.set(run.id, run.options.script);
  }

  /** Releases every run, and refuses new ones. Resolves when other processes can take them all. */
  async close(graceMs: number): Promise<void> {
    this.#graceMs ??= graceMs;
    const open = [...this.#open];
    for (const { control } of open) control.release(this.#graceMs);
    await Promise.all(open.map(({ done }) => done));
  }
}
