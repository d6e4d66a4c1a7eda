import type { RunQuery, Store, StoredRun } from "../journal/store.ts";
import type { Paused } from "../vocabulary/pause.ts";

/** A paused run, and what it waits for. */
export interface WaitingRun extends StoredRun {
  readonly paused: Paused;
}

/** The paused runs that fit the query, the newest pause first. Rejects with a `BatonError` whose code is a `StoreErrorCode`. */
export async function listInbox(
  store: Pick<Store, "list" | "read">,
  query: Omit<RunQuery, "status" | "after"> = {},
): Promise<readonly WaitingRun[]> {
  const { limit = Number.POSITIVE_INFINITY, ...others } = query;
  const waiting: WaitingRun[] = [];
  const runs = await store.list({ ...others, status: "paused" });
  for (const run of runs.toSorted((a, b) => b.updatedAt - a.updatedAt).slice(0, limit)) {
    const [last] = (await store.read(run.runId, run.events - 1)).slice(-1);
    // Somebody may have answered since the list was made.
    if (last?.type === "run.paused") waiting.push({ ...run, paused: last.data });
  }
  return waiting;
}
