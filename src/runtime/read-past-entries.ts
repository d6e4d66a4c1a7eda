import { listCrews } from "../flow/list-crews.ts";
import { listEntries } from "../flow/list-entries.ts";
import type { StoredHandoff } from "../journal/handoff-record.ts";
import type { Store } from "../journal/store.ts";
import { findStoredName, READ_BY_RUNS } from "../run-storage/learn-from-runs.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { PastEntry } from "../vocabulary/run-start.ts";

/** Returns a function that reads how earlier runs went by the agent that began them. It is called when a run begins, for crews that choose the entry agent by the input's words. */
export function createEntryReader(
  store: Store | undefined,
  crew: Crew,
): () => Promise<{ readonly began?: readonly PastEntry[] }> {
  const choosing = listCrews(crew).filter(([, each]) => choosesByWords(each));
  if (store === undefined || choosing.length === 0) return async () => ({});
  return async () => {
    const newest = await store.handoffs({ crew: crew.name, via: "entry" }, READ_BY_RUNS);
    const began = choosing.flatMap(([place, each]) => {
      const own = newest.filter((handoff) => handoff.crew === findStoredName(crew.name, place));
      return listEntries(each).flatMap(({ id }) => readPast(own, id, place));
    });
    return began.length === 0 ? {} : { began };
  };
}

function choosesByWords({ entryPoint, settings }: Crew): boolean {
  return entryPoint.type !== "agent" && settings.classifier === undefined && settings.learning.isOn;
}

/** Nothing if no outcome is known: a cancelled run says nothing about the agent that began it. */
function readPast(handoffs: readonly StoredHandoff[], agent: string, place: string): PastEntry | [] {
  const known = handoffs.filter(({ to, isSuccess }) => to === agent && isSuccess !== undefined);
  const successes = known.filter(({ isSuccess }) => isSuccess).length;
  return known.length === 0 ? [] : { ...(place !== "" && { crew: place }), agent, runs: known.length, successes };
}
