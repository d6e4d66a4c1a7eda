import type { Store } from "../journal/store.ts";
import { readVerdict } from "./feedback.ts";
import { relearnRun } from "./learn-from-runs.ts";

/** Counts the handoffs of all stored runs again, after an upgrade or to undo `forget`. Returns their number. */
export async function recountRuns(store: Store, crew?: string): Promise<number> {
  const query = crew === undefined ? {} : { crew };
  await store.forget(query);
  let handoffs = 0;
  for (const { runId } of await store.list(query))
    handoffs += await relearnRun(store, runId, await readVerdict(store, runId));
  return handoffs;
}
