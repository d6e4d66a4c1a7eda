import { listTransitions } from "../../flow/transitions.ts";
import type { Agent, Crew } from "../../vocabulary/crew.ts";

/**
 * What an agent's words on the crew's line are: `answers` if they are the run's output for certain, `passes on` if they cannot be,
 * and `may answer` if that depends on what the agent says.
 */
export type AgentRole = "answers" | "may answer" | "passes on";

/** Finds the role of each agent of a crew, from what may follow its answer. */
export function createRoles(crew: Crew): (agent: string) => AgentRole {
  const roles = new Map([...crew.agents].map(([id, agent]) => [id, findRole(crew, agent)]));
  return (agent) => roles.get(agent) ?? "may answer";
}

function findRole(crew: Crew, agent: Agent): AgentRole {
  const standings = isPassedTo(crew, agent.id) ? (["line", "passed"] as const) : (["line"] as const);
  const stops = standings.flatMap((standing) =>
    listTransitions(crew, agent, standing).filter(({ kind }) => !inside.has(kind)),
  );
  if (stops.every(({ stop }) => stop.type !== "end" && stop.type !== "pause")) return "passes on";
  const endsAlways = stops.every(({ stop }) => stop.type === "end");
  return endsAlways && speaksOnce(crew, agent) ? "answers" : "may answer";
}

/** Whether another agent may pass its work to this one, after which less follows. */
function isPassedTo(crew: Crew, id: string): boolean {
  return [...crew.agents.values()].some(
    ({ handoff, router, collaborations, team }) =>
      handoff?.to === id ||
      team?.supervisor === id ||
      [...(router?.destinations ?? []), ...collaborations].some(({ agent }) => agent === id),
  );
}

/** What happens while an agent speaks, and does not follow it. */
const inside: ReadonlySet<string> = new Set(["advisor", "guard", "sub-agent", "composed", "team-member"]);

/** Whether an agent has one turn, and nobody looks at its words before the user does. */
function speaksOnce(crew: Crew, agent: Agent): boolean {
  const isAlone =
    agent.tools.length + agent.subAgents.length + agent.delegate.length + agent.advisors.length === 0 &&
    agent.team === undefined &&
    agent.memory === undefined &&
    !agent.compose &&
    !agent.chat;
  const isLookedAt = hasOutputGuards(crew) || hasOutputGuards(agent) || agent.output.format === "json";
  const isBound = (crew.bindings.get(agent.id) ?? []).length > 0;
  const mayBeAskedAgain = isBound && (crew.settings.onNoSignal === "repair" || crew.settings.emit !== "text");
  return isAlone && !isLookedAt && !mayBeAskedAgain;
}

function hasOutputGuards({ guards }: Pick<Agent, "guards">): boolean {
  return guards !== undefined && guards.output.length > 0;
}
