import type { Store } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { flushTraces } from "./flush-traces.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { loadCrewAsItWas, type StoreOptions, withRun } from "./with-run.ts";

export interface CancelOptions extends StoreOptions {
  readonly graceful?: boolean;
}

/** `baton cancel`: ends a run, wherever it is running; with `--graceful` the turn under way may finish. */
export async function cancel(name: string, options: CancelOptions, terminal: Terminal): Promise<number> {
  return withRun(name, options, terminal, async (runId, store) => {
    const isOurs = await cancelWithoutOwner(runId, store, terminal);
    if (!isOurs) await askOwner(runId, store, options.graceful === true);
    await flushTraces();
    const status = isOurs ? "cancelled" : "cancelling";
    terminal.print(options.json ? JSON.stringify({ runId, status }) : `${runId} ${status}`);
    return exitCodes.completed;
  });
}

/** Ends a run that nobody has: one that is paused, or whose process died. */
async function cancelWithoutOwner(runId: RunId, store: Store, terminal: Terminal): Promise<boolean> {
  try {
    await (await loadCrewAsItWas(await store.read(runId), store, terminal)).cancel(runId);
    return true;
  } catch (error) {
    if (error instanceof BatonError && error.code === "run-active") return false;
    throw error;
  }
}

/** Leaves a word for the process that has the run, which looks for one twice a second. */
async function askOwner(runId: RunId, store: Store, isGraceful: boolean): Promise<void> {
  const version = (await store.get("cancel", runId))?.version ?? 0;
  await store.put("cancel", runId, { isGraceful }, version);
}
