import type { Crew } from "../crew.ts";
import { type Standing, type Stop, type Transition, transitionsAfterGroup, transitionsOf } from "./transitions.ts";

/** A place of the flow: an agent with its standing, a group with the agent that called it, or crews with their return. */
export interface Spot {
  readonly stop: Stop;
  readonly transitions: readonly Transition[];
}

/** Every spot that a run can come to, by key. */
export function exploreFlow(crew: Crew): ReadonlyMap<string, Spot> {
  const spots = new Map<string, Spot>();
  const queue = entryStops(crew);
  for (let stop = queue.pop(); stop !== undefined; stop = queue.pop()) {
    const key = keyOfStop(stop);
    if (spots.has(key)) continue;
    const transitions = follow(crew, stop);
    spots.set(key, { stop, transitions });
    queue.push(...transitions.map((transition) => transition.stop));
  }
  return spots;
}

export function keyOfStop(stop: Stop): string {
  if (stop.type === "agent") return `agent ${stop.standing} ${stop.agent}`;
  if (stop.type === "group") return `group ${stop.group} ${stop.emitter}`;
  return stop.type === "crews" ? `crews ${stop.crews.join(" ")} ${stop.returnTo}` : stop.type;
}

function entryStops(crew: Crew): Stop[] {
  const entries = crew.entryPoint.type === "auto" ? [...crew.listed] : [crew.entryPoint.agent];
  const helpers = [crew.settings.classifier, crew.settings.summarizer].filter((agent) => agent !== undefined);
  return [...entries.map((agent) => at(agent, "line")), ...helpers.map((agent) => at(agent, "called"))];
}

function follow(crew: Crew, stop: Stop): Transition[] {
  if (stop.type === "agent") {
    const agent = crew.agents.get(stop.agent);
    return agent === undefined ? [] : transitionsOf(crew, agent, stop.standing);
  }
  if (stop.type === "group") return transitionsAfterGroup(crew, stop.group, stop.emitter);
  return stop.type === "crews" ? [{ kind: "next", stop: at(stop.returnTo, "line") }] : [];
}

function at(agent: string, standing: Standing): Stop {
  return { type: "agent", agent, standing };
}
