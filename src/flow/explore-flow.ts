import type { Crew } from "../vocabulary/crew.ts";
import { listEntries } from "./list-entries.ts";
import {
  listTransitions,
  listTransitionsAfterGroup,
  type Standing,
  type Stop,
  type Transition,
} from "./transitions.ts";

/** A stop that a run can reach, with what may follow there. */
export interface ReachedStop {
  readonly stop: Stop;
  readonly transitions: readonly Transition[];
}

/** Finds every stop that a run can reach, by key. It starts at the entry, or at the given stops. */
export function exploreFlow(crew: Crew, from = listEntryStops(crew)): ReadonlyMap<string, ReachedStop> {
  const reached = new Map<string, ReachedStop>();
  const queue = [...from];
  for (let stop = queue.pop(); stop !== undefined; stop = queue.pop()) {
    const key = makeStopKey(stop);
    if (reached.has(key)) continue;
    const transitions = follow(crew, stop);
    reached.set(key, { stop, transitions });
    // Pushed one by one: a single push with a hundred thousand arguments would overflow the call stack.
    for (const transition of transitions) queue.push(transition.stop);
  }
  return reached;
}

/** Equal stops have equal keys. Names may contain anything, so they are quoted to keep them apart. */
export function makeStopKey(stop: Stop): string {
  switch (stop.type) {
    case "agent":
      return JSON.stringify(["agent", stop.standing, stop.agent]);
    case "group":
      return JSON.stringify(["group", stop.group, stop.emitter]);
    case "crews":
      return JSON.stringify(["crews", stop.returnTo, ...stop.crews]);
    case "end":
    case "pause":
      return stop.type;
  }
}

function listEntryStops(crew: Crew): Stop[] {
  const helpers = [crew.settings.classifier, crew.settings.summarizer].filter((agent) => agent !== undefined);
  return [
    ...listEntries(crew).map(({ id }) => createStop(id, "line")),
    ...helpers.map((agent) => createStop(agent, "called")),
  ];
}

function follow(crew: Crew, stop: Stop): Transition[] {
  if (stop.type === "agent") {
    const agent = crew.agents.get(stop.agent);
    return agent === undefined ? [] : listTransitions(crew, agent, stop.standing);
  }
  if (stop.type === "group") return listTransitionsAfterGroup(crew, stop.group, stop.emitter);
  return stop.type === "crews" ? [{ kind: "next", stop: createStop(stop.returnTo, "line") }] : [];
}

function createStop(agent: string, standing: Standing): Stop {
  return { type: "agent", agent, standing };
}
