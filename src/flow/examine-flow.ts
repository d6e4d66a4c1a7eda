import type { Crew } from "../crew.ts";
import { exploreFlow, keyOfStop, type Spot } from "./explore-flow.ts";
import { findCycles } from "./find-cycles.ts";
import { fallbackOf, type Stop } from "./transitions.ts";

/** What is odd about who can follow whom. */
export interface FlowFindings {
  readonly unreachable: readonly string[];
  /** Agents that can neither end the run nor pass the work on. */
  readonly deadEnds: readonly string[];
  /** Groups after which there is nobody to go on. */
  readonly openGroups: readonly string[];
  /** Circles of agents that pass the work round and none of which can end the run, each as the path round it. */
  readonly endless: readonly (readonly string[])[];
}

export function examineFlow(crew: Crew): FlowFindings {
  const spots = exploreFlow(crew);
  const canEnd = findEnding(spots);
  const stuck = [...spots].filter(([key, spot]) => !canEnd.has(key) && isSpeaking(spot)).map(([, spot]) => spot);
  return {
    unreachable: crew.listed.filter((agent) => !hasSpoken(agent, spots)),
    deadEnds: unique(stuck.filter(staysPut).flatMap(agentOf)),
    openGroups: unique([...spots.values()].flatMap((spot) => openGroupOf(crew, spot))),
    endless: findCircles(
      stuck.filter((spot) => !staysPut(spot)),
      spots,
    ),
  };
}

/** The spots from which the end of the run can be reached; what is called only comes back to its caller. */
function findEnding(spots: ReadonlyMap<string, Spot>): ReadonlySet<string> {
  const before = new Map<string, string[]>();
  for (const [key, spot] of spots) {
    for (const { stop } of spot.transitions) {
      if (isCall(stop)) continue;
      const sources = before.get(keyOfStop(stop));
      if (sources === undefined) before.set(keyOfStop(stop), [key]);
      else sources.push(key);
    }
  }
  const ending = new Set<string>();
  const queue = ["end"];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (ending.has(key)) continue;
    ending.add(key);
    queue.push(...(before.get(key) ?? []));
  }
  return ending;
}

/** An agent whose every way leads back to itself or to a human. */
function staysPut(spot: Spot): boolean {
  return spot.transitions.every(({ stop }) => {
    if (stop.type === "pause" || isCall(stop)) return true;
    return stop.type === "agent" && agentOf(spot).includes(stop.agent);
  });
}

function openGroupOf(crew: Crew, { stop }: Spot): string[] {
  if (stop.type !== "group" || crew.groups.get(stop.group)?.nextAgent !== undefined) return [];
  const leads = fallbackOf(crew, stop.emitter, "line").some(
    ({ stop: next }) => next.type === "agent" || (next.type === "group" && next.group !== stop.group),
  );
  return leads ? [] : [stop.group];
}

function findCircles(stuck: readonly Spot[], spots: ReadonlyMap<string, Spot>): string[][] {
  const edges = new Map<string, string[]>();
  for (const spot of stuck) {
    for (const agent of agentOf(spot)) edges.set(agent, [...(edges.get(agent) ?? []), ...successorsOf(spot, spots)]);
  }
  const circles = new Map(findCycles(edges).map((circle) => [unique(circle).sort().join(" "), circle]));
  return [...circles.values()];
}

/** The agents that speak next, by way of groups and crews too. */
function successorsOf(spot: Spot, spots: ReadonlyMap<string, Spot>): string[] {
  return spot.transitions.flatMap(({ stop }) => {
    if (stop.type === "agent") return stop.standing === "called" ? [] : [stop.agent];
    if (stop.type === "crews") return [stop.returnTo];
    const between = stop.type === "group" ? spots.get(keyOfStop(stop)) : undefined;
    return (
      between?.transitions.flatMap((after) => (isCall(after.stop) ? [] : agentOf({ ...between, stop: after.stop }))) ??
      []
    );
  });
}

function hasSpoken(agent: string, spots: ReadonlyMap<string, Spot>): boolean {
  return (["line", "passed", "called"] as const).some((standing) =>
    spots.has(keyOfStop({ type: "agent", agent, standing })),
  );
}

function isSpeaking({ stop }: Spot): boolean {
  return stop.type === "agent" && stop.standing !== "called";
}

function isCall(stop: Stop): boolean {
  return stop.type === "agent" && stop.standing === "called";
}

function agentOf({ stop }: Spot): string[] {
  return stop.type === "agent" ? [stop.agent] : [];
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
