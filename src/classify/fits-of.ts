import type { AgentIndex } from "./index-agents.ts";
import { rankAgents } from "./rank-agents.ts";

/** How well each agent fits an input by what it says of itself: the best as 1, one that shares no word as 0. */
export function fitsOf(index: AgentIndex, input: string): ReadonlyMap<string, number> {
  const { ranked } = rankAgents(index, input, new Map());
  const most = ranked[0]?.score || 1;
  return new Map(ranked.map(({ agent, score }) => [agent, score / most]));
}
