import { fitsOf } from "../classify/fits-of.ts";
import { type AgentIndex, type Described, indexAgents } from "../classify/index-agents.ts";
import type { Crew } from "../crew.ts";
import { targetsOf } from "../flow/targets-of.ts";
import type { LearnedTargets } from "../learned-targets.ts";
import { type Candidate, type RankedTarget, rankTargets } from "../learning/rank-targets.ts";
import type { KeptHandoff, PathFigures } from "../run/handoff-record.ts";
import type { Store } from "../run/store.ts";
import { allCrews } from "./all-crews.ts";
import { keptName } from "./learn-from-runs.ts";

/** How many of the newest handoffs on a path are compared with an input. */
const COMPARED = 200;

/** Ranks whom an agent may hand its work to; without an agent, who may begin. `name` is what the crew is called among handoffs. */
export async function suggestTargets(
  store: Store | undefined,
  { crew, name }: { readonly crew: Crew; readonly name: string },
  from: string | undefined,
  input: string | undefined,
): Promise<RankedTarget[]> {
  const query = { crew: name, ...(from !== undefined && { from }) };
  const [paths, newest] =
    store === undefined ? [[], []] : [(await store.patterns(query, 0)).paths, await store.handoffs(query, COMPARED)];
  return rankOn(input, candidatesFor(crew, name, from, paths, newest), createFitting(crew, from));
}

/** Of each path, for a run that begins: it should not have to wait. */
const COMPARED_BY_RUNS = 50;

/**
 * Gives what reads, once as a run begins, what the newest of earlier runs show that helps on its input, for the crews that
 * want it used.
 */
export function createTargetReader(
  store: Store | undefined,
  crew: Crew,
): (input: string) => Promise<{ readonly learned?: readonly LearnedTargets[] }> {
  const choosing = store === undefined ? [] : allCrews(crew).flatMap(([place, each]) => choosingIn(each, place));
  if (store === undefined || choosing.length === 0) return async () => ({});
  return async (input) => {
    const newest = await store.handoffs({ crew: crew.name }, COMPARED_BY_RUNS);
    const learned = choosing.flatMap(({ place, crew: within, from, fitting }): LearnedTargets | [] => {
      const candidates = candidatesFor(within, keptName(crew.name, place), from, undefined, newest);
      const isTried = ({ successes, failures }: Tried) => successes + failures > 0;
      if (!candidates.some(isTried)) return [];
      const ranked = rankOn(input, from === undefined ? candidates.filter(isTried) : candidates, fitting);
      return {
        ...(place !== "" && { crew: place }),
        ...(from !== undefined && { from }),
        targets: ranked.map(toLearned),
      };
    });
    return learned.length === 0 ? {} : { learned };
  };
}

type Tried = Pick<Candidate, "successes" | "failures">;

interface Choosing {
  readonly place: string;
  readonly crew: Crew;
  /** Absent where the crew's words decide who begins. */
  readonly from: string | undefined;
  readonly fitting: Fitting;
}

/** The agents of a crew that have a choice, or whose files leave one open; and who begins. */
function choosingIn(crew: Crew, place: string): Choosing[] {
  const { isOn, hints, auto } = crew.settings.learning;
  const isChosen = isOn && crew.entryPoint.type === "auto" && crew.settings.classifier === undefined;
  const at = (from: string | undefined): Choosing => ({ place, crew, from, fitting: createFitting(crew, from) });
  const beginning = isChosen ? [at(undefined)] : [];
  if (!hints && !auto) return beginning;
  const choosers = [...crew.agents.values()].filter(
    ({ router, collaborations, handoffTargets }) =>
      router !== undefined || collaborations.length > 0 || handoffTargets.length > 1,
  );
  return [...beginning, ...choosers.map(({ id }) => at(id))];
}

/** How well each target fits an input, by name. */
type Fitting = (input: string) => ReadonlyMap<string, number>;

/** By the words that tell who is to begin. They are read when a first input is there. */
function createFitting(crew: Crew, from: string | undefined): Fitting {
  let index: AgentIndex | undefined;
  return (input) => {
    index ??= indexAgents(targetsFor(crew, from).map((name) => describedAs(crew, name)));
    return fitsOf(index, input);
  };
}

function rankOn(input: string | undefined, candidates: readonly Candidate[], fitting: Fitting): RankedTarget[] {
  const fits = input === undefined ? new Map<string, number>() : fitting(input);
  return rankTargets(candidates, input, (agent) => fits.get(agent) ?? 0);
}

/** What an agent, a group or a sub-crew says of itself. */
function describedAs(crew: Crew, id: string): Described {
  const description = crew.groups.get(id)?.description ?? crew.subCrews.get(id)?.description;
  return crew.agents.get(id) ?? { id, specialties: [], ...(description !== undefined && { description }) };
}

function targetsFor(crew: Crew, from: string | undefined): readonly string[] {
  const agent = from === undefined ? undefined : crew.agents.get(from);
  return agent === undefined ? crew.listed : targetsOf(crew, agent);
}

/** Without the figures of all handoffs, the newest are all there are. */
function candidatesFor(
  crew: Crew,
  name: string,
  from: string | undefined,
  paths: readonly PathFigures[] | undefined,
  newest: readonly KeptHandoff[],
): Candidate[] {
  const ofPath = <Each extends PathFigures | KeptHandoff>(all: readonly Each[], to: string) =>
    all.filter((each) => each.crew === name && each.from === from && each.to === to);
  return targetsFor(crew, from).map((to) => {
    const own = ofPath(newest, to);
    const counted = paths === undefined ? countsOf(own) : ofPath(paths, to);
    return {
      agent: to,
      successes: counted.reduce((sum, { successes }) => sum + successes, 0),
      failures: counted.reduce((sum, { failures }) => sum + failures, 0),
      newest: own,
    };
  });
}

function countsOf(handoffs: readonly KeptHandoff[]): { readonly successes: number; readonly failures: number }[] {
  return handoffs.map(({ isSuccess }) => ({
    successes: isSuccess === true ? 1 : 0,
    failures: isSuccess === false ? 1 : 0,
  }));
}

function toLearned({ agent, expected, low, high, successes, failures }: RankedTarget) {
  return { to: agent, expected: rounded(expected), low: rounded(low), high: rounded(high), successes, failures };
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000;
}
