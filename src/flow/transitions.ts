import type { Agent, BoundMove, Crew } from "../vocabulary/crew.ts";
import { listJudges } from "../vocabulary/guard.ts";
import { findPatternOnlyAgents } from "./find-pattern-only-agents.ts";

/**
 * How an agent was reached decides what may follow. On the crew's `line`, everything may follow. If it was `passed` to by
 * handoff, router, transfer or team, the run ends instead of continuing down the list. If it was `called` from inside another
 * agent or a group, its signals do not act.
 */
export type Standing = "line" | "passed" | "called";

/**
 * Where a transition leads: an agent and how it was reached, a group and its emitter, or crews and the agent that gets their
 * result.
 */
export type Stop =
  | { readonly type: "agent"; readonly agent: string; readonly standing: Standing }
  | { readonly type: "group"; readonly group: string; readonly emitter: string }
  | { readonly type: "crews"; readonly crews: readonly string[]; readonly returnTo: string }
  | { readonly type: "end"; readonly stopReason: "signal" | "terminal" | "end_of_list" | "answer" }
  | { readonly type: "pause" };

export type TransitionKind =
  | "signal"
  | "router"
  | "transfer"
  | "handoff"
  | "team"
  | "team-member"
  | "advisor"
  | "guard"
  | "sub-agent"
  | "composed"
  | "wait"
  | "terminal"
  | "default"
  | "target"
  | "fallback"
  | "member"
  | "next";

/** Something that may happen after an agent spoke, or on its behalf while it speaks. */
export interface Transition {
  readonly kind: TransitionKind;
  readonly stop: Stop;
  readonly signal?: string;
}

function end(stopReason: Extract<Stop, { type: "end" }>["stopReason"]): Stop {
  return { type: "end", stopReason };
}

const pause: Stop = { type: "pause" };

/** Everything that may follow an agent's answer, in the order in which the run considers it. */
export function listTransitions(crew: Crew, agent: Agent, standing: Standing): Transition[] {
  const after = standing === "called" ? "called" : "passed";
  const to = (kind: TransitionKind, id: string, how: Standing): Transition => ({
    kind,
    stop: { type: "agent", agent: id, standing: how },
  });
  const inside = [
    ...agent.advisors.map((id) => to("advisor", id, "called")),
    ...listJudges(agent.guards).map((id) => to("guard", id, "called")),
    ...agent.subAgents.map((id) => to("sub-agent", id, "called")),
    ...(agent.compose
      ? [...crew.agents.keys()].filter((id) => id !== agent.id).map((id) => to("composed", id, "called"))
      : []),
    ...(agent.team?.members ?? []).map((id) => to("team-member", id, "called")),
  ];
  const supervisor = agent.team?.supervisor;
  const handoff = agent.handoff === undefined ? [] : [to("handoff", agent.handoff.to, after)];
  // If another agent supervises this agent's team, the supervisor decides. Of this agent's own routes, only its handoff acts,
  // after the team.
  if (supervisor !== undefined && supervisor !== agent.id)
    return [...inside, to("team", supervisor, after), ...handoff];
  const signals = standing === "called" ? [] : listSignalTransitions(crew, agent);
  const chosen = [
    ...(agent.router?.destinations ?? []).map((each) => to("router", each.agent, after)),
    ...(crew.settings.handoffsEnabled ? agent.collaborations : []).map((each) => to("transfer", each.agent, after)),
  ];
  const isCertain = agent.handoff !== undefined && agent.handoff.when === undefined;
  return [
    ...inside,
    ...signals,
    ...chosen,
    ...handoff,
    ...(isCertain ? [] : listTransitionsWithoutSignal(crew, agent, standing)),
  ];
}

/** What follows a group: its next agent, or else what would have followed its emitter. */
export function listTransitionsAfterGroup(crew: Crew, group: string, emitter: string): Transition[] {
  const { agents, nextAgent } = crew.groups.get(group) ?? { agents: [], nextAgent: undefined };
  const members = agents.map(
    (agent): Transition => ({ kind: "member", stop: { type: "agent", agent, standing: "called" } }),
  );
  return [
    ...members,
    ...(nextAgent === undefined
      ? findFallbackAfterGroup(crew, group, emitter, "line")
      : [createTransition("next", nextAgent)]),
  ];
}

/** Where a group without a next agent leads: where its emitter's answer would have gone, except into the same group again. */
export function findFallbackAfterGroup(crew: Crew, group: string, emitter: string, standing: Standing): Transition[] {
  return findFallback(crew, emitter, standing).map((transition) => {
    const { stop } = transition;
    return stop.type === "group" && stop.group === group ? { ...transition, stop: end("answer") } : transition;
  });
}

/** Where an answer without a signal leads. */
export function findFallback(crew: Crew, agent: string, standing: Standing): Transition[] {
  const byDefault = crew.defaults.get(agent);
  if (byDefault === null) return [{ kind: "default", stop: end("answer") }];
  if (byDefault !== undefined) {
    const stop: Stop = crew.groups.has(byDefault)
      ? { type: "group", group: byDefault, emitter: agent }
      : { type: "agent", agent: byDefault, standing: "line" };
    return [{ kind: "default", stop }];
  }
  const target = crew.agents.get(agent)?.handoffTargets.find((each) => each !== agent);
  if (target !== undefined) return [createTransition("target", target)];
  switch (crew.settings.onNoSignal) {
    case "stop":
      return [{ kind: "fallback", stop: end("answer") }];
    case "pause":
      return [{ kind: "fallback", stop: pause }];
    case "next":
    case "repair": {
      const next = standing === "line" ? findNextInList(crew, agent) : undefined;
      if (next !== undefined) return [createTransition("fallback", next)];
      return [
        { kind: "fallback", stop: end(standing === "line" && crew.listed.length > 1 ? "end_of_list" : "answer") },
      ];
    }
  }
}

function listTransitionsWithoutSignal(crew: Crew, agent: Agent, standing: Standing): Transition[] {
  if (standing === "called") return [{ kind: "terminal", stop: end("terminal") }];
  if (crew.behaviors.get(agent.id)?.waitForSignal) return [{ kind: "wait", stop: pause }];
  if (agent.isTerminal) return [{ kind: "terminal", stop: end("terminal") }];
  return findFallback(crew, agent.id, standing);
}

function listSignalTransitions(crew: Crew, agent: Agent): Transition[] {
  return (crew.bindings.get(agent.id) ?? []).flatMap(({ signal, move }) => {
    const stop = stopOfMove(move, agent.id);
    return stop === undefined ? [] : [{ kind: "signal", stop, signal }];
  });
}

function stopOfMove(move: BoundMove, emitter: string): Stop | undefined {
  switch (move.type) {
    case "route":
      return { type: "agent", agent: move.target, standing: "line" };
    case "terminate":
      return end("signal");
    case "pause":
      return pause;
    case "parallel":
      return { type: "group", group: move.group, emitter };
    case "sub_crew":
      return { type: "crews", crews: move.crews, returnTo: move.returnTo };
    case "external":
      return move.pause ? pause : undefined;
    case "broadcast":
    case "status":
      return undefined;
  }
}

function findNextInList(crew: Crew, agent: string): string | undefined {
  const position = crew.listed.indexOf(agent);
  if (position === -1) return undefined;
  const helpers = findPatternOnlyAgents(crew);
  return crew.listed.slice(position + 1).find((id) => !helpers.has(id));
}

function createTransition(kind: TransitionKind, agent: string): Transition {
  return { kind, stop: { type: "agent", agent, standing: "line" } };
}
