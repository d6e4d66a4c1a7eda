import type { KeptRun } from "../run-storage/keep-runs.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { Release } from "./release.ts";
import type { RunOptions } from "./run-crew.ts";

/** How often a process that waits for a run tries to take it. */
const POLL_MS = 250;

/** Takes a run as soon as nobody else has it; stops waiting where the caller wants to stop. */
export async function waitToTake(
  runId: RunId,
  take: () => Promise<KeptRun> | KeptRun,
  { signal, stop, release: asked }: RunOptions,
  release: Release,
): Promise<KeptRun> {
  for (;;) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof BatonError) || error.code !== "run-active") throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (signal?.aborted || stop?.aborted || asked?.aborted || release.isAsked)
      throw new BatonError("stopped-waiting", `stopped waiting for run '${runId}', which another process still has`);
  }
}
