import { type AgentIndex, indexAgents } from "../classify/index-agents.ts";
import { type PastRuns, type Ranking, rankAgents } from "../classify/rank-agents.ts";
import type { Crew } from "../crew.ts";
import { entriesOf } from "../flow/entries-of.ts";

/** Ranks the agents that may begin a crew's run. */
export type EntryRanker = (crew: Crew, input: string) => Ranking;

/** How the agents of a crew did when they began a run. */
export type PastRunsOf = (crew: Crew) => ReadonlyMap<string, PastRuns>;

/** Made once for many runs: the words of a crew's agents are read when one is first chosen. */
export function createEntryRanker(pastRuns: PastRunsOf = () => new Map()): EntryRanker {
  const indexes = new WeakMap<Crew, AgentIndex>();
  return (crew, input) => {
    const index = indexes.get(crew) ?? indexAgents(entriesOf(crew));
    indexes.set(crew, index);
    return rankAgents(index, input, pastRuns(crew));
  };
}
