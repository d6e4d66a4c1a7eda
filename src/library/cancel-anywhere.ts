import type { Store } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { CrewHandle } from "./crew-handle.ts";

/** Cancels a run that nobody has, or asks the process that has it. */
export async function cancelAnywhere(
  crew: Pick<CrewHandle, "cancel">,
  store: Store,
  runId: RunId,
  isGraceful: boolean,
): Promise<"cancelled" | "cancelling"> {
  try {
    await crew.cancel(runId);
    return "cancelled";
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "run-active") throw error;
    await askToCancel(store, runId, isGraceful);
    return "cancelling";
  }
}

/** Asks the process that has a run to cancel it. That process looks for such requests twice a second. */
async function askToCancel(store: Pick<Store, "get" | "put">, runId: RunId, isGraceful: boolean): Promise<void> {
  const version = (await store.get("cancel", runId))?.version ?? 0;
  await store.put("cancel", runId, { isGraceful }, version);
}
