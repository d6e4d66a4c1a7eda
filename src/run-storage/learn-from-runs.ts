import { listCrews } from "../flow/list-crews.ts";
import type { HandoffRecord } from "../journal/handoff-record.ts";
import type { Store } from "../journal/store.ts";
import { listHandoffRecords, type Verdict } from "../learning/handoff-records.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { readCrewCopy } from "./crew-copy.ts";

/** Chooses which handoffs of an ended run to store. */
export type LearnFrom = (events: readonly BatonEvent[], verdict: Verdict | undefined) => readonly HandoffRecord[];

/**
 * Creates the function that chooses what to store of a crew's runs: the handoffs of all its crews, except those with `learning:
 * off`.
 */
export function createLearning(crew: Crew): LearnFrom {
  const silent = new Set(
    listCrews(crew).flatMap(([place, { settings }]) =>
      settings.learning.isOn ? [] : [findStoredName(crew.name, place)],
    ),
  );
  const isKept = (handoff: HandoffRecord) => !silent.has(handoff.crew);
  return (events, verdict) => listHandoffRecords(events, verdict).filter(isKept);
}

/** A new run reads only this many of the newest handoffs on each path, so that it starts quickly. */
export const READ_BY_RUNS = 50;

/** The name that handoffs use for a crew, from its place in a run. */
export function findStoredName(root: string, place: string): string {
  return place === "" ? root : `${root}/${place}`;
}

/** Learns from an ended run again, in place of what was learned before. A run that has not ended is learned from when it ends. */
export async function relearnRun(store: Store, runId: RunId, verdict: Verdict | undefined): Promise<number> {
  const events = await store.read(runId);
  const handoffs = (await readLearning(events, store))(events, verdict);
  if (handoffs.length > 0) await store.learn(runId, handoffs);
  return handoffs.length;
}

/** Reads the settings from the crew as it was. If there is no copy of that crew, everything is learned. */
async function readLearning([started]: readonly BatonEvent[], store: Store): Promise<LearnFrom> {
  const fingerprint = started?.type === "run.started" ? started.data.fingerprint : undefined;
  const crew = await readCrewCopy(store, fingerprint);
  return crew === undefined ? listHandoffRecords : createLearning(crew);
}
