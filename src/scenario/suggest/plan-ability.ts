import type { Ability } from "../../flow/coverage/coverage-item.ts";
import { listTransitions, type Stop } from "../../flow/transitions.ts";
import type { Agent, Crew } from "../../vocabulary/crew.ts";
import { findFirstAgent, findFirstSpeaker } from "./first-speaker.ts";
import { planGuard } from "./plan-guard.ts";
import { planLimit } from "./plan-limit.ts";
import { isHeld, Plan } from "./scenario-plan.ts";
import {
  callTool,
  overloaded,
  type Reply,
  refused,
  writeAnswer,
  writeHandoff,
  writeSignal,
  writeTransition,
} from "./write-reply.ts";

/** Plans a run that shows an ability by the shortest way; undefined if no way leads there. */
export function planAbility(crew: Crew, ability: Ability): Plan | undefined {
  const plan = new Plan(crew);
  return prepare(plan, ability) ? plan : undefined;
}

function prepare(plan: Plan, ability: Ability): boolean {
  const { crew } = plan;
  switch (ability.kind) {
    case "binding":
    case "external":
      return emit(plan, ability.agent, ability.signal);
    case "pause":
      return pause(plan, ability.agent, ability.reason);
    case "deadline":
      if (!pause(plan, ability.agent, ability.reason)) return false;
      plan.answer(ability.agent, { expired: true });
      return true;
    case "gate":
      return decide(plan, ability.agent, ability.decision);
    case "fallback":
      return speak(plan, ability.agent, (agent) => {
        const fall = listTransitions(crew, agent, "line").find(({ kind }) => /^(default|target|fallback)$/.test(kind));
        return fall === undefined ? [writeAnswer(agent)] : writeTransition(crew, agent, fall);
      });
    case "function":
      return plan.goToAgent(ability.agent, true) !== undefined;
    case "compose": {
      const [other] = [...crew.agents.keys()].filter((id) => id !== ability.agent);
      const steps = [{ agent: other, task: `TODO: the task of ${other}` }];
      return speak(plan, ability.agent, () => [callTool("crew__compose", { mode: "sequence", agents: steps })], true);
    }
    case "delegate":
      return speak(
        plan,
        ability.agent,
        () => [callTool("crew__delegate", { crew: ability.to, input: `TODO: what ${ability.to} is asked` })],
        true,
      );
    case "router":
    case "transfer":
    case "sub-agent": {
      const { kind, to } = ability;
      const stop: Stop = { type: "agent", agent: to, standing: "called" };
      return speak(plan, ability.agent, (agent) => choose(crew, agent, kind, stop), true);
    }
    case "handoff":
      return speak(plan, ability.agent, writeHandoff, true);
    case "condition":
      return speak(plan, ability.agent, (agent) => [writeAnswer(agent)], true);
    case "advisor":
      if (plan.goToAgent(ability.agent, true) === undefined) return false;
      plan.say(ability.to, "called", refused);
      return true;
    case "team":
      return plan.goToAgent(ability.agent, true) !== undefined;
    case "group":
      return joinGroup(plan, ability.group, ability.outcome);
    case "sub-crew":
      return callCrew(plan, ability.crew);
    case "policy":
      return fail(plan, ability.agent, ability.signal, ability.policy);
    case "guard":
      return planGuard(plan, ability);
    case "limit":
      return planLimit(plan, ability.of, ability.limit);
  }
}

function choose(crew: Crew, agent: Agent, kind: Ability["kind"], stop: Stop): Reply[] {
  return kind === "router" || kind === "transfer" || kind === "sub-agent"
    ? writeTransition(crew, agent, { kind, stop })
    : [];
}

/** Goes to an agent, and lets it say something. */
function speak(plan: Plan, id: string, write: (agent: Agent) => readonly Reply[], mayBeCalled = false): boolean {
  const standing = plan.goToAgent(id, mayBeCalled);
  const agent = plan.crew.agents.get(id);
  if (standing === undefined || agent === undefined) return false;
  plan.say(id, standing, ...write(agent));
  return true;
}

function emit(plan: Plan, id: string, signal: string): boolean {
  const move = plan.crew.bindings.get(id)?.find((binding) => binding.signal === signal)?.move;
  const group = move?.type === "parallel" ? move.group : undefined;
  return speak(plan, id, (agent) => [writeSignal(plan.crew, agent, signal, group)]);
}

/** A pause is asked for by a signal, by an agent that waits, or at a gate. */
function pause(plan: Plan, agent: string, reason: string): boolean {
  if (reason === "wait_for_signal") return speak(plan, agent, (each) => [writeAnswer(each)]);
  return reason === "gate" ? hold(plan, agent) : emit(plan, agent, reason);
}

/** Lets an agent make a move that its gate holds. */
function hold(plan: Plan, id: string): boolean {
  return speak(plan, id, (agent) => {
    const held = listTransitions(plan.crew, agent, "line").find((each) => isHeld(plan.crew, agent, each));
    return held === undefined ? [] : writeTransition(plan.crew, agent, held);
  });
}

function decide(plan: Plan, agent: string, decision: "approve" | "reject" | "redirect"): boolean {
  if (!hold(plan, agent)) return false;
  const [other] = [...plan.crew.agents.keys()].filter((id) => id !== agent);
  plan.answer(
    agent,
    decision === "redirect"
      ? { decision: `redirect:${other ?? agent}` }
      : { decision, ...(decision === "reject" && { input: "TODO: what the agent should do instead" }) },
  );
  return true;
}

function joinGroup(
  plan: Plan,
  name: string,
  outcome: "joined" | "member failed" | "member late" | "empty list",
): boolean {
  const group = plan.crew.groups.get(name);
  const wishes = outcome === "empty list" ? { items: 0 } : {};
  const end = plan.goTo((stop) => stop.type === "group" && stop.group === name, wishes);
  if (group === undefined || end === undefined) return false;
  if (outcome === "joined" || outcome === "empty list") return true;
  const late: Reply = { text: "TODO: an answer that comes too late", latency_ms: group.timeoutMs + 1000 };
  const members = [
    ...group.agents.map((id) => [id, "called"] as const),
    ...group.crews.map((crew) => [crew, "line"] as const),
  ];
  // Where the first success is enough, a member is late only if no other is in time.
  const all = outcome === "member late" && !group.waitForAll ? members : members.slice(0, 1);
  for (const [member, standing] of all) {
    const speaker = standing === "called" ? member : findFirstSpeaker(plan.crew, member);
    plan.say(speaker, standing, outcome === "member late" ? late : refused);
  }
  // Where the first success is enough, the others wait until the failure is there.
  const others = outcome === "member failed" && !group.waitForAll ? group.agents.slice(1) : [];
  for (const id of others) plan.say(id, "called", { text: `TODO: what ${id} says`, latency_ms: 10 });
  return true;
}

/** Calls a sub-crew however it can be called: by a signal, in a group, as a tool, or in place of another. */
function callCrew(plan: Plan, name: string): boolean {
  const isCalled = (stop: Stop) =>
    (stop.type === "crews" && stop.crews.includes(name)) ||
    (stop.type === "group" && plan.crew.groups.get(stop.group)?.crews.includes(name) === true);
  if (plan.goTo(isCalled) !== undefined) return true;
  for (const agent of plan.crew.agents.values())
    if (agent.delegate.includes(name)) {
      const call = callTool("crew__delegate", { crew: name, input: `TODO: what ${name} is asked` });
      return speak(plan, agent.id, () => [call], true);
    }
  for (const [agent, bindings] of plan.crew.bindings)
    for (const { signal, move } of bindings)
      if (move.type === "sub_crew" && move.fallbackCrew === name) return fail(plan, agent, signal, "fallback");
  return false;
}

/** Lets a sub-crew fail so that a policy is applied: for good, or so that trying again may help. */
function fail(
  plan: Plan,
  agent: string,
  signal: string,
  policy: "retry" | "fallback" | "continue" | "propagate",
): boolean {
  const move = plan.crew.bindings.get(agent)?.find((binding) => binding.signal === signal)?.move;
  if (move?.type !== "sub_crew" || !emit(plan, agent, signal)) return false;
  const [first = ""] = move.crews;
  if (policy === "retry") {
    const speaker = findFirstAgent(plan.crew, first);
    const attempts = 1 + (speaker?.limits.maxRetries ?? 0);
    plan.say(findFirstSpeaker(plan.crew, first), "line", ...Array.from({ length: attempts }, () => overloaded));
    return true;
  }
  const isFallbackTried = policy !== "fallback" && move.onError.includes("fallback");
  const failing = isFallbackTried && move.fallbackCrew !== undefined ? [first, move.fallbackCrew] : [first];
  for (const crew of failing) plan.say(findFirstSpeaker(plan.crew, crew), "line", refused);
  return true;
}
