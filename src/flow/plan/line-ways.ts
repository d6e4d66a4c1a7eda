import type { Agent, BoundMove, Crew } from "../../vocabulary/crew.ts";
import { findFallback, type Stop } from "../transitions.ts";
import { deferOwn, findDue, mayHold, withoutOwn } from "./deferred-handoffs.ts";
import { isFace, listChosen, listJoint } from "./in-call.ts";
import { type AgentSpot, openSpot, type Spot, type Way } from "./spot.ts";

type Standing = AgentSpot["standing"];

function way(to: Spot, by: string, more: Partial<Way> = {}): Way {
  return { to, handoffs: 1, isSilent: false, isPass: false, by, isAnswered: false, ...more };
}

/** Everything that may follow an agent on its crew's line. */
export function listAgentWays(spot: AgentSpot, crew: Crew): Way[] {
  const agent = crew.agents.get(spot.agent);
  if (agent === undefined) return [];
  const withOwn = deferOwn(agent, spot.deferred);
  const isSilent = isFace(agent) && agent.function === undefined && agent.prompt.trim() === "";
  const failed = isSilent ? [] : failedWays(agent, spot, crew);
  if (agent.team !== undefined && isFace(agent)) {
    const to = openSpot(agent.team.supervisor, "passed", withOwn, agent.id);
    return [way(to, "team", { isPass: true, isSilent }), ...failed];
  }
  const moves = [...signalWays(agent, spot, crew), ...chosenWays(agent, withOwn, spot, crew)];
  return [...moves, ...retryWays(agent, spot, crew), ...restWays(agent, spot, crew), ...failed];
}

/** A failure is told to whoever wants to hear of it. */
function failedWays(agent: Agent, spot: AgentSpot, crew: Crew): Way[] {
  const pass = (to: string, deferred: readonly string[]) =>
    way(openSpot(to, "passed", deferred), "failure", { isSilent: true, isPass: true });
  const { handoff } = agent;
  const isOwn = handoff?.onFailure === "continue" && mayHold(handoff.when, "failed");
  const own = isOwn ? [pass(handoff.to, withoutOwn(agent, spot.deferred))] : [];
  if (isOwn && handoff.when === undefined) return own;
  return [...own, ...findDue(crew, spot.deferred, "failed").map(({ to, left }) => pass(to, left))];
}

function signalWays(agent: Agent, spot: AgentSpot, crew: Crew): Way[] {
  return (crew.bindings.get(agent.id) ?? []).flatMap(({ signal, move }, index) => {
    const moves = moveWays(move, index, signal, spot, crew);
    const isGated = move.type === "route" || move.type === "parallel" || move.type === "sub_crew";
    return isGated ? [...moves, ...gateWays(agent, spot, crew, "line", spot.deferred)] : moves;
  });
}

function moveWays(move: BoundMove, binding: number, signal: string, spot: AgentSpot, crew: Crew): Way[] {
  switch (move.type) {
    case "route":
      return [way(openSpot(move.target, "line", spot.deferred), signal)];
    case "parallel":
      return groupWays(move.group, signal, spot, crew);
    case "sub_crew":
      return [way({ type: "crews", binding, emitter: spot }, signal)];
    case "pause":
      return [answeredWay(spot, signal)];
    case "external":
      return move.pause ? [answeredWay(spot, signal)] : [];
    case "terminate":
    case "broadcast":
    case "status":
      return [];
  }
}

/** Into a group. One that works on a list asks once for an answer with that list. */
function groupWays(group: string, by: string, spot: AgentSpot, crew: Crew): Way[] {
  const entering = way({ type: "group", group, emitter: spot }, by);
  const isList = crew.groups.get(group)?.forEach !== undefined;
  const mayRepair = isList && spot.held === undefined && crew.agents.get(spot.agent)?.function === undefined;
  return mayRepair ? [entering, way({ ...spot, held: group }, "no list", { handoffs: 0 })] : [entering];
}

/** The same agent continues with what somebody said; what was tried before does not count any more. */
function answeredWay(spot: AgentSpot, by: string): Way {
  const to = { ...spot, retries: 0, isRepaired: false, held: undefined };
  return way(to, by, { handoffs: 0, isAnswered: true });
}

/** A human rejects what an agent decided, or sends its answer to somebody else. */
function gateWays(agent: Agent, spot: AgentSpot, crew: Crew, standing: Standing, deferred: readonly string[]): Way[] {
  if (crew.behaviors.get(agent.id)?.autoRoute !== false) return [];
  const redirected = [...crew.agents.keys()].map((id) => way(openSpot(id, standing, deferred), "redirect"));
  return [answeredWay(spot, "reject"), ...redirected];
}

function chosenWays(agent: Agent, withOwn: readonly string[], spot: AgentSpot, crew: Crew): Way[] {
  const chosen = listChosen(agent, crew);
  if (chosen.length === 0) return [];
  const by = (id: string) => (agent.router?.destinations.some((each) => each.agent === id) ? "router" : "transfer");
  const joint = listJoint(agent, crew);
  const together =
    joint.length === 0
      ? []
      : [way({ type: "group", group: undefined, emitter: { ...spot, deferred: withOwn } }, "transfers")];
  const passed = chosen.map((id) => way(openSpot(id, "passed", withOwn), by(id), { isPass: true }));
  return [...passed, ...together, ...gateWays(agent, spot, crew, "passed", withOwn)];
}

/** `[RETRY]` asks the same agent again. */
function retryWays(agent: Agent, spot: AgentSpot, crew: Crew): Way[] {
  const bindings = crew.bindings.get(agent.id) ?? [];
  const isBound = bindings.some(({ signal, move }) => signal === "[RETRY]" && move.type === "status");
  if (!isBound || spot.retries >= agent.limits.maxRetries) return [];
  return [way({ ...spot, retries: spot.retries + 1 }, "[RETRY]", { handoffs: 0 })];
}

/** What follows where no signal and no choice decides. */
function restWays(agent: Agent, spot: AgentSpot, crew: Crew): Way[] {
  const { handoff } = agent;
  const own =
    handoff === undefined || !mayHold(handoff.when, "completed")
      ? []
      : [way(openSpot(handoff.to, "passed", withoutOwn(agent, spot.deferred)), "handoff", { isPass: true })];
  if (handoff !== undefined && handoff.when === undefined) return own;
  return [...own, ...otherwise(agent, spot, crew)];
}

function otherwise(agent: Agent, spot: AgentSpot, crew: Crew): Way[] {
  if (spot.held !== undefined) {
    const entering = way({ type: "group", group: spot.held, emitter: spot }, "no signal");
    return [entering, ...gateWays(agent, spot, crew, "line", spot.deferred)];
  }
  if (crew.behaviors.get(agent.id)?.waitForSignal) return [answeredWay(spot, "answer")];
  if (agent.isTerminal) return [];
  const [transition] = findFallback(crew, agent.id, spot.standing);
  const bindings = crew.bindings.get(agent.id) ?? [];
  const isRepairing =
    crew.settings.onNoSignal === "repair" && transition?.kind === "fallback" && spot.standing === "line";
  const mayRepair = isRepairing && agent.function === undefined && bindings.length > 0 && crew.listed.length > 1;
  if (mayRepair && !spot.isRepaired) return [way({ ...spot, isRepaired: true }, "no signal", { handoffs: 0 })];
  const learned = crew.settings.learning.auto && transition?.kind === "target" ? agent.handoffTargets : [];
  return [
    ...learned.map((id) => way(openSpot(id, "line", spot.deferred), "no signal")),
    ...(transition === undefined ? [] : stopWays(transition.stop, spot, crew)),
  ];
}

/** What follows where no signal decides; also after a group that names nobody. */
export function stopWays(stop: Stop, spot: AgentSpot, crew: Crew): Way[] {
  switch (stop.type) {
    case "agent":
      return [way(openSpot(stop.agent, "line", spot.deferred), "no signal")];
    case "group":
      return groupWays(stop.group, "no signal", spot, crew);
    case "pause":
      return [answeredWay(spot, "no signal")];
    case "end":
      return stop.stopReason === "answer" ? dueWays(spot, crew) : [];
    case "crews":
      return [];
  }
}

function dueWays(spot: AgentSpot, crew: Crew): Way[] {
  return findDue(crew, spot.deferred, "completed").map(({ to, left }) =>
    way(openSpot(to, "passed", left), "handoff", { isPass: true }),
  );
}
