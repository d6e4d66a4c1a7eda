import type { Store } from "../journal/store.ts";
import type { RunId } from "../vocabulary/ids.ts";

/** Asks the process that has a run to cancel it. That process looks for such requests twice a second. */
export async function askToCancel(store: Pick<Store, "get" | "put">, runId: RunId, isGraceful: boolean): Promise<void> {
  const version = (await store.get("cancel", runId))?.version ?? 0;
  await store.put("cancel", runId, { isGraceful }, version);
}
