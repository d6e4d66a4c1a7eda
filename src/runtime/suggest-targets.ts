import type { Described } from "../classify/index-agents.ts";
import { listCrews } from "../flow/list-crews.ts";
import { listTargets } from "../flow/list-targets.ts";
import type { PathFigures, StoredHandoff } from "../journal/handoff-record.ts";
import type { Store } from "../journal/store.ts";
import { type Candidate, type RankedTarget, rankTargets } from "../learning/rank-targets.ts";
import { findStoredName, READ_BY_RUNS } from "../run-storage/learn-from-runs.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { LearnedTargets } from "../vocabulary/run-start.ts";

/** How many of the newest handoffs on a path are compared with an input. */
const COMPARED = 1000;

/** Ranks the possible targets of an agent, or the possible entry agents. `name` is the crew's name in stored handoffs. */
export async function suggestTargets(
  store: Store | undefined,
  { crew, name }: { readonly crew: Crew; readonly name: string },
  from: string | undefined,
  input: string | undefined,
): Promise<RankedTarget[]> {
  const query = { crew: name, ...(from !== undefined && { from }) };
  const [paths, newest] =
    store === undefined ? [[], []] : [(await store.stats(query, 0)).paths, await store.handoffs(query, COMPARED)];
  return rankTargets(candidatesFor(crew, name, from, paths, newest), input);
}

/**
 * Returns a function that reads what earlier runs say about targets. It is called when a run begins, for crews whose settings want
 * the statistics used.
 */
export function createTargetReader(
  store: Store | undefined,
  crew: Crew,
): (input: string) => Promise<{ readonly learned?: readonly LearnedTargets[] }> {
  const choosing = listCrews(crew).flatMap(([place, each]) => choosingIn(each, place));
  if (store === undefined || choosing.length === 0) return async () => ({});
  return async (input) => {
    const newest = await store.handoffs({ crew: crew.name }, READ_BY_RUNS);
    const learned = choosing.flatMap(({ place, crew: within, from }): LearnedTargets | [] => {
      const candidates = candidatesFor(within, findStoredName(crew.name, place), from, undefined, newest);
      if (!candidates.some(({ successes, failures }) => successes + failures > 0)) return [];
      return { ...(place !== "" && { crew: place }), from, targets: rankTargets(candidates, input).map(toLearned) };
    });
    return learned.length === 0 ? {} : { learned };
  };
}

interface Choosing {
  readonly place: string;
  readonly crew: Crew;
  readonly from: string;
}

/** The agents of a crew that can choose between targets. */
function choosingIn(crew: Crew, place: string): Choosing[] {
  const { hints, auto } = crew.settings.learning;
  if (!hints && !auto) return [];
  const choosers = [...crew.agents.values()].filter(
    ({ router, collaborations, handoffTargets }) =>
      router !== undefined || collaborations.length > 0 || handoffTargets.length > 1,
  );
  return choosers.map(({ id }) => ({ place, crew, from: id }));
}

/** Counts the newest handoffs only, where the figures of all of them are not read. */
function candidatesFor(
  crew: Crew,
  name: string,
  from: string | undefined,
  paths: readonly PathFigures[] | undefined,
  newest: readonly StoredHandoff[],
): Candidate[] {
  const agent = from === undefined ? undefined : crew.agents.get(from);
  const targets = agent === undefined ? crew.listed : listTargets(crew, agent);
  const ofPath = <Each extends PathFigures | StoredHandoff>(all: readonly Each[], to: string) =>
    all.filter((each) => each.crew === name && each.from === from && each.to === to);
  return targets.map((to) => {
    const own = ofPath(newest, to);
    const counted = paths === undefined ? countOutcomes(own) : ofPath(paths, to);
    return {
      about: describe(crew, to),
      successes: counted.reduce((sum, { successes }) => sum + successes, 0),
      failures: counted.reduce((sum, { failures }) => sum + failures, 0),
      newest: own,
    };
  });
}

function countOutcomes(
  handoffs: readonly StoredHandoff[],
): { readonly successes: number; readonly failures: number }[] {
  return handoffs.map(({ isSuccess }) => ({
    successes: isSuccess === true ? 1 : 0,
    failures: isSuccess === false ? 1 : 0,
  }));
}

/** The description of an agent, a group or a sub-crew. */
function describe(crew: Crew, name: string): Described {
  const description = crew.groups.get(name)?.description ?? crew.subCrews.get(name)?.description ?? "";
  return crew.agents.get(name) ?? { id: name, specialties: [], description };
}

function toLearned({ agent, expected, low, high, successes, failures }: RankedTarget) {
  return { to: agent, expected: rounded(expected), low: rounded(low), high: rounded(high), successes, failures };
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000;
}
