import type { Store } from "../journal/store.ts";
import { askToCancel } from "../run-storage/ask-to-cancel.ts";
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
