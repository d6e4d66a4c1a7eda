import type { Crew } from "../../vocabulary/crew.ts";
import { listEntries } from "../list-entries.ts";
import { compileEdges, type EdgeTable } from "./edge-table.ts";
import { listGroupWays } from "./group-ways.ts";
import { listAgentWays } from "./line-ways.ts";
import { type AgentSpot, type CrewsSpot, openSpot, type Spot, type Way } from "./spot.ts";

export interface LineNode {
  readonly spot: Spot;
  readonly ways: readonly LineEdge[];
}

export interface LineEdge extends Omit<Way, "to"> {
  readonly to: number;
}

/** All spots that a run of the crew can reach, and what may follow each. */
export interface LineGraph {
  readonly nodes: readonly LineNode[];
  /** The nodes that a run may begin with. */
  readonly entries: readonly number[];
  /** Whether a run can come back to where it was. */
  readonly isCircular: boolean;
  /** The edges of all nodes in one list, in a form that is fast to walk. */
  readonly edges: EdgeTable;
  /** Whether deferred handoffs were too many to be told apart, so that any of them may be due at any end. */
  readonly isLoose: boolean;
}

const MOST_NODES = 5000;

export function buildLineGraph(crew: Crew): LineGraph {
  return explore(crew, false) ?? explore(crew, true) ?? finish([], [], true);
}

function explore(crew: Crew, isLoose: boolean): LineGraph | undefined {
  const numbers = new Map<string, number>();
  const spots: Spot[] = [];
  const numberSpot = (spot: Spot): number => {
    const known = isLoose ? loosen(spot, crew) : spot;
    const key = makeKey(known);
    const number = numbers.get(key) ?? spots.push(known) - 1;
    numbers.set(key, number);
    return number;
  };
  const entries = listEntries(crew).map(({ id }) => numberSpot(openSpot(id, "line", [])));
  const nodes: LineNode[] = [];
  for (let number = 0; number < spots.length; number++) {
    const spot = spots[number];
    if (spot === undefined) break;
    const ways = listWays(spot, crew).map(({ to, ...way }): LineEdge => ({ ...way, to: numberSpot(to) }));
    nodes.push({ spot, ways: removeDoubles(ways) });
    if (!isLoose && spots.length > MOST_NODES && spots.length > 20 * crew.agents.size) return undefined;
  }
  return finish(nodes, entries, isLoose);
}

export function finish(nodes: readonly LineNode[], entries: readonly number[], isLoose: boolean): LineGraph {
  const edges = compileEdges(nodes.map(({ ways }) => ways));
  return { nodes, entries, isLoose, edges, isCircular: findCircle(nodes) };
}

/** Takes away whatever nothing leads to, again and again; what is left is a circle. */
function findCircle(nodes: readonly LineNode[]): boolean {
  const incoming = new Int32Array(nodes.length);
  for (const { ways } of nodes) for (const { to } of ways) incoming[to] = (incoming[to] ?? 0) + 1;
  const queue = [...incoming.keys()].filter((node) => incoming[node] === 0);
  for (const node of queue) {
    for (const { to } of nodes[node]?.ways ?? []) {
      incoming[to] = (incoming[to] ?? 0) - 1;
      if (incoming[to] === 0) queue.push(to);
    }
  }
  return queue.length < nodes.length;
}

function listWays(spot: Spot, crew: Crew): Way[] {
  switch (spot.type) {
    case "agent":
      return listAgentWays(spot, crew);
    case "group":
      return listGroupWays(spot, crew);
    case "crews":
      return listReturnWays(spot, crew);
  }
}

function listReturnWays({ binding, emitter }: CrewsSpot, crew: Crew): Way[] {
  const move = crew.bindings.get(emitter.agent)?.[binding]?.move;
  if (move?.type !== "sub_crew") return [];
  const to = openSpot(move.returnTo, "line", emitter.deferred);
  return [{ to, handoffs: 1, isSilent: false, isPass: false, by: "result", isAnswered: false }];
}

/** One way of each kind to each spot. */
function removeDoubles(ways: readonly LineEdge[]): LineEdge[] {
  const seen = new Set<string>();
  return ways.filter(({ to, handoffs, isSilent, isPass, isAnswered }) => {
    const key = `${to} ${handoffs} ${isSilent} ${isPass} ${isAnswered}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Every handoff that may be deferred at all counts as deferred wherever one is. */
function loosen(spot: Spot, crew: Crew): Spot {
  const loose = (agent: AgentSpot): AgentSpot =>
    agent.deferred.length === 0
      ? agent
      : {
          ...agent,
          deferred: [...crew.agents.values()].filter(({ handoff }) => handoff !== undefined).map(({ id }) => id),
        };
  return spot.type === "agent" ? loose(spot) : { ...spot, emitter: loose(spot.emitter) };
}

function makeKey(spot: Spot): string {
  if (spot.type === "agent") return keyOfAgent(spot);
  const emitter = keyOfAgent(spot.emitter);
  return JSON.stringify([spot.type, spot.type === "group" ? spot.group : spot.binding, emitter]);
}

function keyOfAgent({ agent, standing, deferred, face, retries, isRepaired, held }: AgentSpot): string {
  return JSON.stringify([agent, standing, deferred, face, retries, isRepaired, held]);
}
