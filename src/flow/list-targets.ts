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

/** Whom an agent may hand its work to by any mechanism, as handoffs name them: agents, groups, sub-crews. */
export function listTargets(crew: Crew, agent: Agent): string[] {
  const names = listTransitions(crew, agent, "line").flatMap(({ kind, stop }): string | [] => {
    if (!handingOver.has(kind)) return [];
    if (stop.type === "agent") return stop.agent;
    if (stop.type === "group") return stop.group;
    return stop.type === "crews" ? stop.crews.join(", ") : [];
  });
  return [...new Set([...names, ...agent.handoffTargets])].filter((name) => name !== agent.id);
}
