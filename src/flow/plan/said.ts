import { boundsAt, type CrewAt } from "./crew-at.ts";
import type { LineGraph } from "./line-graph.ts";
import type { Spot } from "./spot.ts";

/**
 * How much can have been said on a crew's line, in tokens, when so many handoffs are made. A human's answer may be of any size, so that
 * nothing but the window bounds what is said after one.
 */
export function estimateSaid(
  at: CrewAt,
  graph: LineGraph,
  input: number,
): (spot: Spot | undefined, made: number) => number {
  const isAnswered = graph.nodes.some(({ ways }) => ways.some((way) => way.isAnswered));
  if (isAnswered) return () => Number.MAX_SAFE_INTEGER;
  const longest = longestAnswer(at);
  const grown = graph.nodes.map(({ spot }) => growth(at, spot, longest) * (1 + repeats(spot)));
  const perStep = grown.reduce((most, each) => Math.max(most, each), 0);
  // What is passed on may repeat the task.
  return (spot, made) =>
    2 * input + made * perStep + (spot === undefined ? 0 : repeats(spot) * growth(at, spot, longest));
}

function growth(at: CrewAt, spot: Spot, longest: number): number {
  if (spot.type === "agent") {
    const { turns, turnTokens } = boundsAt(at, spot.agent);
    return turns * turnTokens;
  }
  if (spot.type === "crews") return countCrews(at, spot.emitter.agent) * longest;
  const group = at.crew.groups.get(spot.group ?? "");
  const members = (group?.agents.length ?? at.crew.agents.size) + (group?.crews.length ?? 0);
  return members * (group?.forEach?.maxItems ?? 1) * longest;
}

function countCrews({ crew }: CrewAt, agent: string): number {
  const calls = (crew.bindings.get(agent) ?? []).map(({ move }) => (move.type === "sub_crew" ? move.crews.length : 0));
  return Math.max(1, ...calls);
}

/** How often the agent was asked before, without a handoff. */
function repeats(spot: Spot): number {
  if (spot.type !== "agent") return 0;
  return spot.retries + (spot.isRepaired ? 1 : 0) + (spot.held === undefined ? 0 : 1);
}

function longestAnswer(at: CrewAt): number {
  return Math.max(0, ...[...at.crew.agents.keys()].map((id) => boundsAt(at, id).outputTokens));
}
