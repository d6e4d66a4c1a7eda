import type { Agent, Crew } from "../vocabulary/crew.ts";
import { listTransitions, type TransitionKind } from "./transitions.ts";

const handingOver: ReadonlySet<TransitionKind> = new Set([
  "signal",
  "router",
  "transfer",
  "handoff",
  "team",
  "default",
  "target",
  "fallback",
]);

/** Lists the agents, groups and sub-crews that an agent can hand off to, by any mechanism, with the names that handoffs use. */
export function listTargets(crew: Crew, agent: Agent): string[] {
  const names = listTransitions(crew, agent, "line").flatMap(({ kind, stop }): string | [] => {
    if (!handingOver.has(kind)) return [];
    if (stop.type === "agent") return stop.agent;
    if (stop.type === "group") return stop.group;
    return stop.type === "crews" ? stop.crews.join(", ") : [];
  });
  return [...new Set([...names, ...agent.handoffTargets])].filter((name) => name !== agent.id);
}
