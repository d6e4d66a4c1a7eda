import type { RunLog } from "../run-storage/run-log.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { LiveRun } from "./live-run.ts";

/** How often a process that waits for a run tries to take it. */
const POLL_MS = 250;

/** Takes a run's log as soon as nobody else has it. Stops waiting when the caller ends or releases the run. */
export async function waitToTake({ id, control }: LiveRun, take: () => Promise<RunLog> | RunLog): Promise<RunLog> {
  for (;;) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof BatonError) || error.code !== "run-active") throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (control.isLeaving)
      throw new BatonError("stopped-waiting", `stopped waiting for run '${id}', which another process still has`);
  }
}
