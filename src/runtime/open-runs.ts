import type { Clock } from "../run/clock.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { RunOptions } from "./environment.ts";
import { type CancelPaused, LiveRun, type RunOwner, type RunWork } from "./live-run.ts";
import { RunControl } from "./run-control.ts";

/** The runs of a crew that this process has under way. */
export class OpenRuns implements RunOwner {
  readonly #clock: Clock;
  readonly cancelPaused: CancelPaused;
  readonly #open = new Set<LiveRun>();
  #graceMs: number | undefined;

  constructor(clock: Clock, cancelPaused: CancelPaused) {
    this.#clock = clock;
    this.cancelPaused = cancelPaused;
  }

  open(id: RunId, options: RunOptions, work: RunWork): LiveRun {
    const run = new LiveRun(id, options, new RunControl(this.#clock), work, this);
    this.#open.add(run);
    return run;
  }

  /** Refuses new runs after `close`. */
  admit(): void {
    if (this.#graceMs !== undefined)
      throw new BatonError("crew-closed", "the crew is closed: it starts and continues no runs");
  }

  ended(run: LiveRun): void {
    this.#open.delete(run);
  }

  /** Releases every run, and refuses new ones. Resolves when other processes can take them all. */
  async close(graceMs: number): Promise<void> {
    this.#graceMs ??= graceMs;
    const open = [...this.#open];
    for (const { control } of open) control.release(this.#graceMs);
    await Promise.all(open.map(({ done }) => done));
  }
}
