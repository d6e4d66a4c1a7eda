import type { Crew } from "../../vocabulary/crew.ts";
import { exploreFlow, makeStopKey, type ReachedStop } from "../explore-flow.ts";
import { listEntries } from "../list-entries.ts";
import type { Stop, Transition } from "../transitions.ts";

/** One step of a way through a crew: what happens at a stop. */
export interface Step {
  readonly at: Stop;
  readonly transition: Transition;
}

/** A way from an entry of the crew to a stop. */
export interface Way {
  readonly entry: string;
  readonly steps: readonly Step[];
  readonly end: Stop;
}

/** A crew's stops, for searching ways through it. */
export type CrewMap = ReadonlyMap<string, ReachedStop>;

export function mapCrew(crew: Crew): CrewMap {
  return exploreFlow(crew);
}

/** Finds the shortest way from where a run begins to a stop; undefined if no way leads there. */
export function findShortestWay(crew: Crew, map: CrewMap, isGoal: (stop: Stop) => boolean): Way | undefined {
  const queue = listEntries(crew).map(({ id }): Way => ({ entry: id, steps: [], end: onLine(id) }));
  const seen = new Set<string>();
  for (let way = queue.shift(); way !== undefined; way = queue.shift()) {
    if (isGoal(way.end)) return way;
    const key = makeStopKey(way.end);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const transition of map.get(key)?.transitions ?? [])
      queue.push({ ...way, steps: [...way.steps, { at: way.end, transition }], end: transition.stop });
  }
  return undefined;
}

/** How far each stop is from an end of the run. Stops from which no end can be reached have no distance. */
export function measureDistances(map: CrewMap): ReadonlyMap<string, number> {
  const distances = new Map<string, number>([["end", 0]]);
  // Each round reaches stops that are one step farther, so there are at most as many rounds as stops.
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const [key, { transitions }] of map) {
      const nearest = Math.min(
        ...transitions.filter(isOnward).map(({ stop }) => distances.get(makeStopKey(stop)) ?? Infinity),
      );
      if (nearest + 1 >= (distances.get(key) ?? Infinity)) continue;
      distances.set(key, nearest + 1);
      isDone = false;
    }
  }
  return distances;
}

/** The transition of an agent that leads to an end of the run by the shortest way. */
export function findNearestEnd(
  agent: string,
  map: CrewMap,
  distances: ReadonlyMap<string, number>,
): Transition | undefined {
  const standings = ["line", "passed"] as const;
  const open = standings.flatMap((standing) => {
    const { transitions = [] } = map.get(makeStopKey({ type: "agent", agent, standing })) ?? {};
    return transitions.filter(isOnward);
  });
  const far = (transition: Transition) => distances.get(makeStopKey(transition.stop)) ?? Infinity;
  return open.filter((each) => far(each) < Infinity).toSorted((a, b) => far(a) - far(b))[0];
}

/** Handoffs that a step takes: groups and sub-crews count one in and one back. */
function countHandoffs({ at, transition: { stop, kind } }: Step): number {
  if (kind === "member") return 0;
  if (at.type === "group") return stop.type === "end" ? 0 : 1;
  if (at.type === "crews") return 1;
  return stop.type === "end" || stop.type === "pause" ? 0 : 1;
}

/** Finds a way that takes more handoffs than a limit allows; undefined if every way ends before. */
export function findLongWay(crew: Crew, map: CrewMap, handoffs: number): Way | undefined {
  interface Node {
    readonly stop: Stop;
    readonly count: number;
    readonly from: Node | undefined;
    readonly step: Step | undefined;
  }
  const queue = listEntries(crew).map(
    ({ id }): Node => ({ stop: onLine(id), count: 0, from: undefined, step: undefined }),
  );
  const seen = new Set<string>();
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at];
    if (node === undefined) break;
    if (node.count > handoffs) return unwind(node);
    const key = `${node.count} ${makeStopKey(node.stop)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const transition of map.get(makeStopKey(node.stop))?.transitions ?? []) {
      if (!isOnward(transition)) continue;
      const step = { at: node.stop, transition };
      queue.push({ stop: transition.stop, count: node.count + countHandoffs(step), from: node, step });
    }
  }
  return undefined;

  function unwind(last: Node): Way {
    const steps: Step[] = [];
    let first = last;
    for (; first.from !== undefined; first = first.from) if (first.step !== undefined) steps.unshift(first.step);
    return { entry: first.stop.type === "agent" ? first.stop.agent : "", steps, end: last.stop };
  }
}

/** Calls come back to where they were made, and a pause stays where it is. */
function isOnward({ stop, kind }: Transition): boolean {
  const isCall = stop.type === "agent" && stop.standing === "called";
  return !isCall && stop.type !== "pause" && kind !== "wait";
}

function onLine(agent: string): Stop {
  return { type: "agent", agent, standing: "line" };
}
