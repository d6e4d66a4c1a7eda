import { listCrews } from "../flow/list-crews.ts";
import type { HandoffRecord } from "../journal/handoff-record.ts";
import type { Store } from "../journal/store.ts";
import { listHandoffRecords, type Verdict } from "../learning/handoff-records.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { readCrewCopy } from "./crew-copy.ts";

/** What is to be kept of the handoffs of a run that has ended. */
export type LearnFrom = (events: readonly BatonEvent[], verdict: Verdict | undefined) => readonly HandoffRecord[];

/** What is kept of the runs of a crew: the handoffs of all crews in it that do not say `learning: off`. */
export function createLearning(crew: Crew): LearnFrom {
  const silent = new Set(
    listCrews(crew).flatMap(([place, { settings }]) =>
      settings.learning.isOn ? [] : [findStoredName(crew.name, place)],
    ),
  );
  const isKept = (handoff: HandoffRecord) => !silent.has(handoff.crew);
  return (events, verdict) => listHandoffRecords(events, verdict).filter(isKept);
}

/** How many of the newest handoffs on each path a run reads that begins: it should not have to wait. */
export const READ_BY_RUNS = 50;

/** What a crew is called among handoffs, by its place in a run. */
export function findStoredName(root: string, place: string): string {
  return place === "" ? root : `${root}/${place}`;
}

/** Learns from a run that has ended as if for the first time; from one that has not, when it has. */
export async function relearnRun(store: Store, runId: RunId, verdict: Verdict | undefined): Promise<number> {
  const events = await store.read(runId);
  const handoffs = (await readLearning(events, store))(events, verdict);
  if (handoffs.length > 0) await store.learn(runId, handoffs);
  return handoffs.length;
}

/** By the crew as it was; where there is no copy of it, nothing said that nothing is to be learned. */
async function readLearning([started]: readonly BatonEvent[], store: Store): Promise<LearnFrom> {
  const fingerprint = started?.type === "run.started" ? started.data.fingerprint : undefined;
  const crew = await readCrewCopy(store, fingerprint);
  return crew === undefined ? listHandoffRecords : createLearning(crew);
}
