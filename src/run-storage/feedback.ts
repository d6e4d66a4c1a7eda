import type { Store } from "../journal/store.ts";
import type { Verdict } from "../learning/handoff-records.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { relearnRun } from "./learn-from-runs.ts";

/** A person's opinion of a run. */
export interface Feedback {
  readonly verdict: Verdict;
  readonly words?: string;
  readonly at: string;
}

const KIND = "feedback";

/**
 * Stores a person's opinion of a run and replaces an earlier one. It decides how the run's handoffs count. `redact` removes
 * secrets.
 */
export async function giveFeedback(
  store: Store,
  runId: RunId,
  verdict: Verdict,
  words: string,
  redact: (text: string) => string,
): Promise<Feedback> {
  const version = (await store.get(KIND, runId))?.version ?? 0;
  const said: Feedback = { verdict, ...(words !== "" && { words: redact(words) }), at: new Date().toISOString() };
  if (!(await store.put(KIND, runId, said, version)))
    throw new BatonError("store-busy", "somebody else gave feedback at the same time; say it again");
  await relearnRun(store, runId, verdict);
  return said;
}

/** Reads a person's verdict on a run, if there is one. */
export async function readVerdict(store: Store, runId: RunId): Promise<Verdict | undefined> {
  const said = (await store.get(KIND, runId))?.value;
  if (typeof said !== "object" || said === null || !("verdict" in said)) return undefined;
  return said.verdict === "good" || said.verdict === "bad" ? said.verdict : undefined;
}

/** Counts the handoffs of all stored runs again, after an upgrade or to undo `forget`. Returns their number. */
export async function recountRuns(store: Store, crew?: string): Promise<number> {
  const query = crew === undefined ? {} : { crew };
  await store.forget(query);
  let handoffs = 0;
  for (const { runId } of await store.list(query))
    handoffs += await relearnRun(store, runId, await readVerdict(store, runId));
  return handoffs;
}
