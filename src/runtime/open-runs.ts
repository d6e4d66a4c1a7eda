import type { Clock } from "../run/clock.ts";
import type { RunLog } from "../run-storage/run-log.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { isPromise } from "../vocabulary/promise.ts";
import type { RunOptions } from "./environment.ts";
import { type CancelPaused, LiveRun, type RunWork } from "./live-run.ts";
import { RunControl } from "./run-control.ts";
import { type RunPlan, runCrew } from "./run-crew.ts";

/** The runs of a crew that this process has under way. */
export class OpenRuns {
  readonly #clock: Clock;
  readonly #cancelPaused: CancelPaused;
  readonly #open = new Set<LiveRun>();
  #graceMs: number | undefined;

  constructor(clock: Clock, cancelPaused: CancelPaused) {
    this.#clock = clock;
    this.#cancelPaused = cancelPaused;
  }

  open(id: RunId, options: RunOptions, work: RunWork): LiveRun {
    const run = new LiveRun(
      id,
      options,
      new RunControl(this.#clock),
      (live) => this.#work(live, work),
      this.#cancelPaused,
    );
    this.#open.add(run);
    return run;
  }

  /** Releases every run, and refuses new ones. Resolves when other processes can take them all. */
  async close(graceMs: number): Promise<void> {
    this.#graceMs ??= graceMs;
    const open = [...this.#open];
    for (const { control } of open) control.release(this.#graceMs);
    await Promise.all(open.map(({ done }) => done));
  }

  async #work(run: LiveRun, work: RunWork): Promise<void> {
    try {
      if (this.#graceMs !== undefined)
        throw new BatonError("crew-closed", "the crew is closed: it starts and continues no runs");
      await work(run);
    } finally {
      this.#open.delete(run);
    }
  }
}

/** Takes a run's log, plans with it what to do, and does that. Lets the log go however it ends. */
export async function runFrom(
  run: LiveRun,
  take: () => Promise<RunLog> | RunLog,
  plan: (log: RunLog) => Promise<RunPlan> | RunPlan,
): Promise<void> {
  const taken = take();
  const log = isPromise(taken) ? await taken : taken;
  try {
    const planned = plan(log);
    await runCrew(run, log, isPromise(planned) ? await planned : planned);
  } finally {
    const closed = log.close();
    if (closed !== undefined) await closed;
  }
}
