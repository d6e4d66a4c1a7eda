import type { Crew } from "../../vocabulary/crew.ts";
import { findCycles } from "../find-cycles.ts";
import type { Plan } from "./plan.ts";
import type { LineGraph } from "./line-graph.ts";

/** Ways that lead back to where they began: nothing but a limit, or the answer of an agent, ends them. */
export function listLoops({ settings, agents }: Crew, { nodes }: LineGraph): Plan["loops"] {
  const nameOf = (node: number): string => {
    const spot = nodes[node]?.spot;
    return spot === undefined ? "" : spot.type === "agent" ? spot.agent : spot.type === "group" ? (spot.group ?? spot.emitter.agent) : spot.emitter.agent;
  };
  const edges = new Map<string, Set<string>>();
  let usesHandoffs = false;
  const alone = new Map<string, string>();
  for (const [node, { ways, spot }] of nodes.entries()) {
    const from = nameOf(node);
    const targets = edges.get(from) ?? new Set();
    edges.set(from, targets);
    for (const way of ways) {
      const to = nameOf(way.to);
      if (way.handoffs === 1 && to !== from) targets.add(to);
      usesHandoffs ||= way.handoffs === 1;
      if (to !== from || spot.type !== "agent") continue;
      if (way.isAnswered) alone.set(from, "max_rounds");
      else if (way.handoffs === 1) alone.set(from, "max_handoffs");
      else if (way.by === "[RETRY]") alone.set(from, alone.get(from) ?? `max_retries (${agents.get(from)?.limits.maxRetries ?? 0})`);
    }
  }
  const words = (limit: string) => (limit === "max_rounds" ? `max_rounds (${settings.maxRounds})` : limit === "max_handoffs" ? describeHandoffs(settings) : limit);
  const cycles = findCycles(new Map([...edges].map(([from, to]) => [from, [...to]])));
  return [
    ...cycles.map((cycle) => ({ agents: cycle, endsBy: words(endOfCycle(settings)) })),
    ...[...alone].map(([agent, endsBy]) => ({ agents: [agent, agent], endsBy: words(endsBy) })),
  ];
}

/** Every lap takes about as many answers as handoffs. */
function endOfCycle({ maxHandoffs, maxRunHandoffs, maxRounds }: Crew["settings"]): string {
  return Math.min(maxHandoffs, maxRunHandoffs) < maxRounds ? "max_handoffs" : "max_rounds";
}

function describeHandoffs({ maxHandoffs, maxRunHandoffs }: Crew["settings"]): string {
  return maxRunHandoffs < maxHandoffs ? `max_run_handoffs (${maxRunHandoffs})` : `max_handoffs (${maxHandoffs})`;
}
