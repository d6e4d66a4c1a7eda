import type { Agent, Binding, Crew } from "../../vocabulary/crew.ts";
import { exploreFlow, type ReachedStop } from "../explore-flow.ts";
import { findFallback } from "../transitions.ts";
import {
  type Ability,
  type CoverageItem,
  type DeclaredAt,
  type ErrorPolicy,
  type GateDecision,
  nameAbility,
} from "./coverage-item.ts";
import { listGuardItems } from "./list-guards.ts";
import { listLimits } from "./list-limits.ts";

/** Tells whether the crew's files set a key, since a loaded crew has defaults for all others. */
export type IsSet = (at: DeclaredAt) => boolean;

/** Lists everything that a crew can do and a scenario can show. Its sub-crews have lists of their own. */
export function listCoverageItems(crew: Crew, isSet: IsSet): CoverageItem[] {
  const reached = [...exploreFlow(crew).values()];
  const items = [
    ...[...crew.bindings].flatMap(([agent, bindings]) => listOfBindings(agent, bindings)),
    ...listOfGroups(crew),
    ...[...crew.subCrews.keys()].map((name) => item({ kind: "sub-crew", crew: name }, { keys: ["sub_crews", name] })),
    ...[...crew.agents.values()].flatMap((agent) => [...listOfAgent(agent, crew), ...listPauses(agent, crew)]),
    ...listGuardItems(crew),
    ...listFallbacks(crew, reached),
    ...listLimits(crew, isSet),
  ];
  return [...new Map(items.map((each) => [each.name, each])).values()];
}

function item(ability: Ability, at: DeclaredAt): CoverageItem {
  return { name: nameAbility(ability), ability, at };
}

function listOfBindings(agent: string, bindings: readonly Binding[]): CoverageItem[] {
  return bindings.flatMap(({ signal, move }, index) => {
    const at = { keys: ["routing", "signals", agent, index] };
    const policies = move.type === "sub_crew" ? listPolicies(move.onError) : [];
    return [
      item({ kind: "binding", agent, signal }, at),
      ...(move.type === "external" ? [item({ kind: "external", agent, signal }, at)] : []),
      ...policies.map((policy) => item({ kind: "policy", agent, signal, policy }, { keys: [...at.keys, "on_error"] })),
    ];
  });
}

/** Where nothing that is tried helps, the failure is passed on, unless the caller continues with it. */
function listPolicies(onError: readonly Exclude<ErrorPolicy, "propagate">[]): readonly ErrorPolicy[] {
  return onError.includes("continue") ? onError : [...onError, "propagate"];
}

function listOfGroups({ groups }: Crew): CoverageItem[] {
  return [...groups].flatMap(([group, { forEach }]) => {
    const at = { keys: ["routing", "parallel_groups", group] };
    const outcomes = ["joined", "member failed", "member late"] as const;
    const all = forEach === undefined ? outcomes : ([...outcomes, "empty list"] as const);
    return all.map((outcome) => item({ kind: "group", group, outcome }, at));
  });
}

/** What stands in an agent's own file. */
function listOfAgent(agent: Agent, { settings }: Crew): CoverageItem[] {
  const { id, handoff, router, team } = agent;
  const at = (...keys: DeclaredAt["keys"]): DeclaredAt => ({ agent: id, keys });
  const to = (kind: "router" | "transfer" | "advisor" | "sub-agent" | "delegate", key: string) => (name: string) =>
    item({ kind, agent: id, to: name }, at(key));
  const names = (neighbours: Agent["collaborations"]) => neighbours.map((each) => each.agent);
  return [
    ...(agent.function === undefined
      ? []
      : [item({ kind: "function", agent: id }, at(agent.function.remote === undefined ? "run" : "a2a"))]),
    ...(handoff === undefined ? [] : [item({ kind: "handoff", agent: id, to: handoff.to }, at("handoff"))]),
    ...(handoff?.when === undefined
      ? []
      : [item({ kind: "condition", agent: id, to: handoff.to }, at("handoff", "when"))]),
    ...names(router?.destinations ?? []).map(to("router", "router")),
    ...(settings.handoffsEnabled ? names(agent.collaborations) : []).map(to("transfer", "collaborations")),
    ...agent.advisors.map(to("advisor", "advisors")),
    ...agent.subAgents.map(to("sub-agent", "agents")),
    ...agent.delegate.map(to("delegate", "delegate")),
    ...(agent.compose ? [item({ kind: "compose", agent: id }, at("compose"))] : []),
    ...(team === undefined ? [] : ["cycle" as const, "end" as const]).map((part) =>
      item({ kind: "team", agent: id, part }, at("team")),
    ),
  ];
}

/** A human may be asked at a gate, by a signal, or by an agent that waits. A deadline may answer in their place. */
function listPauses({ id }: Agent, crew: Crew): CoverageItem[] {
  const behavior = crew.behaviors.get(id);
  const shared = crew.settings.pauseTimeout;
  const behaves = (key: string): DeclaredAt => ({ keys: ["routing", "agent_behaviors", id, key] });
  const paused = (reason: string, at: DeclaredAt, limit = shared) => [
    item({ kind: "pause", agent: id, reason }, at),
    ...(limit === undefined ? [] : [item({ kind: "deadline", agent: id, reason }, withKey(at, "pause_timeout"))]),
  ];
  const decisions: readonly GateDecision[] = behavior?.autoRoute === false ? ["approve", "reject", "redirect"] : [];
  const gateLimit = decisions.length === 0 ? undefined : (behavior?.pauseTimeout ?? shared);
  return [
    ...decisions.map((decision) => item({ kind: "gate", agent: id, decision }, behaves("auto_route"))),
    ...(gateLimit === undefined
      ? []
      : [item({ kind: "deadline", agent: id, reason: "gate" }, behaves("pause_timeout"))]),
    ...(behavior?.waitForSignal ? paused("wait_for_signal", behaves("wait_for_signal"), behavior.pauseTimeout) : []),
    ...(crew.bindings.get(id) ?? []).flatMap(({ signal, move, pauseTimeout }, index) => {
      const pauses = move.type === "pause" || (move.type === "external" && move.pause);
      return pauses ? paused(signal, { keys: ["routing", "signals", id, index] }, pauseTimeout) : [];
    }),
  ];
}

function withKey({ keys }: DeclaredAt, key: string): DeclaredAt {
  return { keys: typeof keys.at(-1) === "number" ? [...keys, key] : [...keys.slice(0, -1), key] };
}

/** What follows an answer without a signal, for each agent to whose answer that may happen. */
function listFallbacks(crew: Crew, reached: readonly ReachedStop[]): CoverageItem[] {
  const falling = reached.flatMap(({ stop, transitions }) => {
    const falls = transitions.some(({ kind }) => kind === "default" || kind === "target" || kind === "fallback");
    return falls && stop.type === "agent" ? [stop.agent] : [];
  });
  return [...new Set(falling)].map((agent) => item({ kind: "fallback", agent }, findFallbackPlace(crew, agent)));
}

function findFallbackPlace(crew: Crew, agent: string): DeclaredAt {
  const [transition] = findFallback(crew, agent, "line");
  if (transition?.kind === "default") return { keys: ["routing", "defaults", agent] };
  if (transition?.kind === "target") return { agent, keys: ["handoff_targets"] };
  return { keys: ["settings", "on_no_signal"] };
}
