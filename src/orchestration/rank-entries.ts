import { type AgentIndex, indexAgents } from "../classify/index-agents.ts";
import { type PastRuns, type Ranking, rankAgents } from "../classify/rank-agents.ts";
import type { Crew } from "../crew.ts";
import { entriesOf } from "../flow/entries-of.ts";

/** Ranks the agents that may begin a crew's run; `within` is the crew's place, where it is not the run's own. */
export type EntryRanker = (crew: Crew, input: string, within: string | undefined) => Ranking;

/** How agents did when they began before, by agent, in the crew at a place; known before the run begins. */
type PastRunsIn = (within: string | undefined) => ReadonlyMap<string, PastRuns>;

/** Made once for many runs: the words of a crew's agents are read when one is first chosen. */
export function createEntryRanker(pastRuns: PastRunsIn = () => new Map()): EntryRanker {
  const indexes = new WeakMap<Crew, AgentIndex>();
  return (crew, input, within) => {
    const index = indexes.get(crew) ?? indexAgents(entriesOf(crew));
    indexes.set(crew, index);
    return rankAgents(index, input, pastRuns(within));
  };
}
