import type { Crew, Settings } from "../../vocabulary/crew.ts";
import { findCycles } from "../find-cycles.ts";
import type { LineEdge, LineGraph } from "./line-graph.ts";
import type { Plan } from "./plan.ts";
import type { Spot } from "./spot.ts";

/** Ways that lead back to where they began: nothing but a limit, or the answer of an agent, ends them. */
export function listLoops({ settings, agents, bindings }: Crew, { nodes }: LineGraph): Plan["loops"] {
  const nameNode = (node: number): string => nameSpot(nodes[node]?.spot, bindings);
  const edges = new Map<string, Set<string>>();
  const alone = new Map<string, string>();
  for (const [node, { ways, spot }] of nodes.entries()) {
    const from = nameNode(node);
    const targets = edges.get(from) ?? new Set();
    edges.set(from, targets);
    for (const way of ways) {
      const to = nameNode(way.to);
      if (to !== from) targets.add(to);
      else if (spot.type === "agent") {
        const limit = limitOfRepeat(way, agents.get(from)?.limits.maxRetries ?? 0, settings);
        if (limit !== undefined && (way.isAnswered || !alone.has(from))) alone.set(from, limit);
      }
    }
  }
  const cycles = findCycles(new Map([...edges].map(([from, to]) => [from, [...to]])));
  return [
    ...cycles.map((cycle) => ({ agents: cycle, endsBy: describeEndOfCycle(settings) })),
    ...[...alone].map(([agent, endsBy]) => ({ agents: [agent, agent], endsBy })),
  ];
}

function nameSpot(spot: Spot | undefined, bindings: Crew["bindings"]): string {
  if (spot === undefined) return "";
  if (spot.type === "agent") return spot.agent;
  if (spot.type === "group") return spot.group ?? spot.emitter.agent;
  const move = bindings.get(spot.emitter.agent)?.[spot.binding]?.move;
  return move?.type === "sub_crew" ? move.crews.join(", ") : spot.emitter.agent;
}

/** What ends an agent that comes after itself; one that is only told its signals, or what list is wanted, is told once. */
function limitOfRepeat(way: LineEdge, maxRetries: number, settings: Settings): string | undefined {
  if (way.isAnswered) return `max_rounds (${settings.maxRounds})`;
  if (way.handoffs === 1) return describeHandoffs(settings);
  return way.by === "[RETRY]" ? `max_retries (${maxRetries})` : undefined;
}

/** Every lap takes about as many answers as handoffs. */
function describeEndOfCycle(settings: Settings): string {
  const { maxHandoffs, maxRunHandoffs, maxRounds } = settings;
  return Math.min(maxHandoffs, maxRunHandoffs) < maxRounds ? describeHandoffs(settings) : `max_rounds (${maxRounds})`;
}

function describeHandoffs({ maxHandoffs, maxRunHandoffs }: Settings): string {
  return maxRunHandoffs < maxHandoffs ? `max_run_handoffs (${maxRunHandoffs})` : `max_handoffs (${maxHandoffs})`;
}
