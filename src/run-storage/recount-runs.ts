import type { Store } from "../journal/store.ts";
import { readVerdict } from "./feedback.ts";
import { relearnRun } from "./learn-from-runs.ts";

/** Counts the handoffs of all runs that are kept anew, and says how many there are: after an upgrade, or to take back a `forget`. */
export async function recountRuns(store: Store, crew?: string): Promise<number> {
  const query = crew === undefined ? {} : { crew };
  await store.forget(query);
  let handoffs = 0;
  for (const { runId } of await store.list(query))
    handoffs += await relearnRun(store, runId, await readVerdict(store, runId));
  return handoffs;
}
