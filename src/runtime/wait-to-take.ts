import type { Clock } from "../run/clock.ts";
import type { RunLog } from "../run-storage/run-log.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { CrewEnvironment } from "./environment.ts";
import type { LiveRun } from "./live-run.ts";
import { TooSoonError } from "./refuse-answer.ts";

/** How often a process that waits looks whether it may continue, or was told to stop waiting. */
const POLL_MS = 250;

type OnWait = CrewEnvironment["onWait"];

/** Takes a run's log as soon as nobody else has it. Stops waiting when the caller ends or releases the run. */
export async function waitToTake(run: LiveRun, take: () => Promise<RunLog> | RunLog, onWait: OnWait): Promise<RunLog> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof BatonError) || error.code !== "run-active") throw error;
    }
    if (isFirst) onWait?.(`waiting for run '${run.id}', which another process has`);
    await sleep(run, POLL_MS, "which another process still has");
  }
}

/** Continues a run, and if its answer comes too soon, continues it again when it does not any more. */
export async function waitUntilDue(run: LiveRun, go: () => Promise<void>, clock: Clock, onWait: OnWait): Promise<void> {
  for (;;) {
    try {
      return await go();
    } catch (error) {
      if (!(error instanceof TooSoonError)) throw error;
      const { dueAt, what } = error;
      const leftMs = () => dueAt - clock.now();
      onWait?.(`waiting ${Math.ceil(leftMs() / 1000)} s, after which ${what} can no longer be running`);
      while (leftMs() > 0) await sleep(run, Math.min(POLL_MS, leftMs()), `where ${what} may still be running`);
    }
  }
}

async function sleep({ id, control }: LiveRun, ms: number, why: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  if (control.isAborted || control.isStopping || control.isReleased)
    throw new BatonError("stopped-waiting", `stopped waiting for run '${id}', ${why}`);
}
