import type { Crew } from "../vocabulary/crew.ts";
import { exploreFlow, makeStopKey, type ReachedStop } from "./explore-flow.ts";
import { findCycles } from "./find-cycles.ts";
import { findFallback, type Stop } from "./transitions.ts";

/** Problems in who can follow whom. */
export interface FlowFindings {
  readonly unreachable: readonly string[];
  /** Agents that can neither end the run nor pass the work on. */
  readonly deadEnds: readonly string[];
  /** Groups that no agent follows. */
  readonly openGroups: readonly string[];
  /** Circles of agents none of which can end the run, each as the path around it. */
  readonly endless: readonly (readonly string[])[];
  /** Agents with signals that continue with the next agent of the list if they give no signal, and that next agent. */
  readonly fallingThrough: ReadonlyMap<string, string>;
}

export function examineFlow(crew: Crew): FlowFindings {
  const reached = exploreFlow(crew);
  const canEnd = findEnding(reached);
  const stuck = [...reached].filter(([key, { stop }]) => !canEnd.has(key) && isSpeaking(stop)).map(([, each]) => each);
  return {
    unreachable: crew.listed.filter((agent) => !hasSpoken(agent, reached)),
    deadEnds: removeDuplicates(stuck.filter(hasNoWayOut).flatMap(({ stop }) => listAgentsOfStop(stop))),
    openGroups: removeDuplicates([...reached.values()].flatMap(({ stop }) => findOpenGroup(crew, stop))),
    endless: findCircles(
      stuck.filter((each) => !hasNoWayOut(each)),
      reached,
    ),
    fallingThrough: new Map([...reached.values()].flatMap((each) => findFallThroughs(crew, each))),
  };
}

function findFallThroughs({ bindings }: Crew, { stop, transitions }: ReachedStop): (readonly [string, string])[] {
  const emitter = stop.type === "group" ? stop.emitter : listAgentsOfStop(stop)[0];
  if (emitter === undefined || (bindings.get(emitter) ?? []).length === 0) return [];
  return transitions.flatMap(({ kind, stop: next }) =>
    kind === "fallback" && next.type === "agent" ? [[emitter, next.agent] as const] : [],
  );
}

/** The stops from which the run can end. A called agent only returns to its caller. */
function findEnding(reached: ReadonlyMap<string, ReachedStop>): ReadonlySet<string> {
  const before = new Map<string, string[]>();
  for (const [key, { transitions }] of reached) {
    for (const { stop } of transitions) {
      if (isCall(stop)) continue;
      const sources = before.get(makeStopKey(stop));
      if (sources === undefined) before.set(makeStopKey(stop), [key]);
      else sources.push(key);
    }
  }
  const ending = new Set<string>();
  const queue = [makeStopKey({ type: "end", stopReason: "answer" })];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (ending.has(key)) continue;
    ending.add(key);
    for (const source of before.get(key) ?? []) queue.push(source);
  }
  return ending;
}

/** Whether every way out of an agent leads back to itself or to a human. */
function hasNoWayOut({ stop: here, transitions }: ReachedStop): boolean {
  return transitions.every(({ stop }) => {
    if (stop.type === "pause" || isCall(stop)) return true;
    return stop.type === "agent" && listAgentsOfStop(here).includes(stop.agent);
  });
}

function findOpenGroup(crew: Crew, stop: Stop): string[] {
  if (stop.type !== "group" || crew.groups.get(stop.group)?.nextAgent !== undefined) return [];
  const leads = findFallback(crew, stop.emitter, "line").some(
    ({ stop: next }) => next.type === "agent" || (next.type === "group" && next.group !== stop.group),
  );
  return leads ? [] : [stop.group];
}

function findCircles(stuck: readonly ReachedStop[], reached: ReadonlyMap<string, ReachedStop>): string[][] {
  const edges = new Map<string, string[]>();
  for (const each of stuck) {
    for (const agent of listAgentsOfStop(each.stop))
      edges.set(agent, [...(edges.get(agent) ?? []), ...listSuccessors(each, reached)]);
  }
  return findCycles(edges);
}

/** The agents that speak next, also through groups and crews. */
function listSuccessors({ transitions }: ReachedStop, reached: ReadonlyMap<string, ReachedStop>): string[] {
  return transitions.flatMap(({ stop }) => {
    if (stop.type === "agent") return isCall(stop) ? [] : [stop.agent];
    if (stop.type === "crews") return [stop.returnTo];
    const after = stop.type === "group" ? (reached.get(makeStopKey(stop))?.transitions ?? []) : [];
    return after.flatMap(({ stop: next }) => (isCall(next) ? [] : listAgentsOfStop(next)));
  });
}

function hasSpoken(agent: string, reached: ReadonlyMap<string, ReachedStop>): boolean {
  return (["line", "passed", "called"] as const).some((standing) =>
    reached.has(makeStopKey({ type: "agent", agent, standing })),
  );
}

function isSpeaking(stop: Stop): boolean {
  return stop.type === "agent" && stop.standing !== "called";
}

function isCall(stop: Stop): boolean {
  return stop.type === "agent" && stop.standing === "called";
}

function listAgentsOfStop(stop: Stop): string[] {
  return stop.type === "agent" ? [stop.agent] : [];
}

function removeDuplicates(names: readonly string[]): string[] {
  return [...new Set(names)];
}
