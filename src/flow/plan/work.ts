/** Model calls of one agent that are alike. */
export interface CallGroup {
  /** The agent, with the names of the sub-crews around it. */
  readonly agent: string;
  readonly calls: number;
  /** Of each call. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of all calls together; undefined if the price is not known. */
  readonly costUsd: number | undefined;
}

/** The most that something can take of one figure, and the calls that it consists of. */
export interface Work {
  readonly value: number;
  readonly groups: readonly CallGroup[];
  readonly inside: readonly (readonly [times: number, work: Work])[];
}

export const noWork: Work = { value: 0, groups: [], inside: [] };

export function repeatWork(times: number, work: Work): Work {
  if (times <= 0 || work === noWork) return noWork;
  return times === 1 ? work : { value: multiply(times, work.value), groups: [], inside: [[times, work]] };
}

/** Infinite times nothing is nothing. */
function multiply(times: number, value: number): number {
  return value === 0 ? 0 : times * value;
}

export function addWork(...works: readonly Work[]): Work {
  const some = works.filter((work) => work !== noWork);
  if (some.length < 2) return some[0] ?? noWork;
  const value = some.reduce((sum, work) => sum + work.value, 0);
  return { value, groups: [], inside: some.map((work) => [1, work]) };
}

export function largestWork(works: readonly Work[]): Work {
  return works.reduce((largest, work) => (work.value > largest.value ? work : largest), noWork);
}

/** The same work that something stops earlier. */
export function capWork(work: Work, cap: number): Work {
  return work.value <= cap ? work : { ...work, value: cap };
}

/** All calls of some work, those that are alike together. */
export function listGroups(work: Work): CallGroup[] {
  return [...collect(work, new Map()).values()].filter(({ calls }) => calls > 0);
}

type Groups = ReadonlyMap<string, CallGroup>;

/** The same work may stand in many places: each is added up once. */
function collect(work: Work, known: Map<Work, Groups>): Groups {
  const before = known.get(work);
  if (before !== undefined) return before;
  const groups = new Map<string, CallGroup>();
  for (const group of work.groups) add(groups, group, 1);
  for (const [times, inner] of work.inside)
    for (const group of collect(inner, known).values()) add(groups, group, times);
  known.set(work, groups);
  return groups;
}

function add(groups: Map<string, CallGroup>, group: CallGroup, times: number): void {
  const key = `${group.inputTokens} ${group.outputTokens} ${group.agent}`;
  const { calls = 0, costUsd = 0 } = groups.get(key) ?? {};
  const usd = group.costUsd === undefined ? undefined : costUsd + times * group.costUsd;
  groups.set(key, { ...group, calls: calls + times * group.calls, costUsd: usd });
}
