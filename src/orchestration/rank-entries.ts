import { type AgentIndex, indexAgents } from "../classify/index-agents.ts";
import { type Ranking, rankAgents } from "../classify/rank-agents.ts";
import { listEntries } from "../flow/list-entries.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { PastRuns } from "../vocabulary/run-start.ts";

/** Ranks the agents that may begin a crew's run; `past` is how they did when they began before, by agent. */
export type EntryRanker = (crew: Crew, input: string, past: ReadonlyMap<string, PastRuns>) => Ranking;

/** Made once for many runs: the words of a crew's agents are read when one is first chosen. */
export function createEntryRanker(): EntryRanker {
  const indexes = new WeakMap<Crew, AgentIndex>();
  return (crew, input, past) => {
    const index = indexes.get(crew) ?? indexAgents(listEntries(crew));
    indexes.set(crew, index);
    return rankAgents(index, input, past);
  };
}
