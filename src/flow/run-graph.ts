import type { Crew } from "../vocabulary/crew.ts";
import { type Composition, nameGroup } from "../vocabulary/event-data.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { buildCallTree, type CrewCall, isAt } from "./crew-calls.ts";
import { buildGraph, type CrewGraph, type GraphEdge, type GraphNode } from "./crew-graph.ts";

/**
 * Builds the graph of a crew with what happened in a run: how often each agent answered, which arrows the run took, which crews
 * it composed.
 */
export function buildRunGraph(crew: Crew, events: readonly BatonEvent[]): CrewGraph {
  return addRunToGraph(buildGraph(crew), events);
}

/** Adds what happened in a run to the graph of its crew. */
export function addRunToGraph(graph: CrewGraph, events: readonly BatonEvent[]): CrewGraph {
  return buildCallsGraph(graph, [buildCallTree(events)]);
}

/** Adds what happened in all calls of one crew. */
function buildCallsGraph(graph: CrewGraph, calls: readonly CrewCall[]): CrewGraph {
  const events = calls.flatMap((call) => call.events);
  const inner = calls.flatMap((outer) => {
    const findCaller = createCallerFinder(outer);
    return outer.calls.map((call) => ({ call, from: findCaller(call) }));
  });
  const composed = buildComposed(inner, graph);
  const taken = [...events.flatMap(listWays), ...inner.flatMap(({ call, from }) => findWayInto(call, from))];
  return {
    ...graph,
    nodes: graph.nodes.map((node) => addTimes(node, countTimes(node, events))),
    edges: [...findTakenEdges(graph, taken), ...composed.map(({ edge }) => edge)],
    crews: new Map([
      ...buildCalledCrews(graph, inner),
      ...composed.map(({ edge, inside }) => [edge.to, inside] as const),
    ]),
  };
}

interface InnerCall {
  readonly call: CrewCall;
  /** The box that made the call, if it is known. */
  readonly from: string | undefined;
}

function buildCalledCrews(graph: CrewGraph, inner: readonly InnerCall[]): [string, CrewGraph][] {
  return [...graph.crews].map(([name, sub]) => {
    const calls = inner.flatMap(({ call }) => (call.composed === undefined && call.name === name ? [call] : []));
    return [name, calls.length === 0 ? sub : buildCallsGraph(sub, calls)];
  });
}

/** Finds the box that made a call: an agent in the middle of its work, or a group. */
function createCallerFinder({ events }: CrewCall): (call: CrewCall) => string | undefined {
  const byPath = new Map<string, string | undefined>();
  for (const event of events) {
    if (event.type === "tool.called") byPath.set(event.path, event.agent);
    else if (event.type === "parallel.started") byPath.set(event.path, event.data.group);
  }
  return ({ path }) => byPath.get(path.slice(0, path.lastIndexOf("/")));
}

function countTimes({ name, kind }: GraphNode, events: readonly BatonEvent[]): number {
  return events.filter((event) =>
    kind === "agent"
      ? event.type === "agent.completed" && event.agent === name
      : event.type === "parallel.joined" && event.data.group === name,
  ).length;
}

function addTimes<Part extends GraphNode | GraphEdge>(part: Part, times: number): Part {
  return times === 0 ? part : { ...part, times };
}

type Way = Pick<GraphEdge, "from" | "to" | "toKind" | "kind"> & { readonly reason: string };

/** Lists the ways that an event says the run took. The return from a crew is part of calling it. */
function listWays(event: BatonEvent): Way[] {
  if (event.type !== "handoff") return [];
  const { from, to, via, reason } = event.data;
  if (via !== "sub_crew") return [{ from, to, toKind: "node", kind: via === "fallback" ? "falls" : "moves", reason }];
  if (reason.startsWith("back from ")) return [];
  return to.split(", ").map((crew): Way => ({ from, to: crew, toKind: "crew", kind: "calls", reason }));
}

function findWayInto({ name, composed }: CrewCall, from: string | undefined): Way[] {
  if (from === undefined || composed !== undefined) return [];
  return [{ from, to: name, toKind: "crew", kind: "calls", reason: "delegates" }];
}

/** Counts how often the run took each arrow. A way without an arrow, such as a human's decision, gets an arrow of its own. */
function findTakenEdges({ nodes, crews, edges }: CrewGraph, ways: readonly Way[]): GraphEdge[] {
  const times = new Map<GraphEdge, number>();
  const added = new Map<string, GraphEdge>();
  const isNode = (name: string) => nodes.some((node) => node.name === name);
  for (const { reason, ...way } of ways) {
    if (!isNode(way.from) || !(way.toKind === "crew" ? crews.has(way.to) : isNode(way.to))) continue;
    const fitting = edges.filter((edge) => isSame(edge, way));
    const key = JSON.stringify([way, reason]);
    const edge = fitting.find(({ kind }) => kind === way.kind) ?? added.get(key) ?? { ...way, labels: [reason] };
    if (!edges.includes(edge)) added.set(key, edge);
    times.set(edge, (times.get(edge) ?? 0) + 1);
  }
  return [...edges, ...added.values()].map((edge) => addTimes(edge, times.get(edge) ?? 0));
}

function isSame(edge: GraphEdge, way: Omit<Way, "reason">): boolean {
  return edge.from === way.from && edge.to === way.to && edge.toKind === way.toKind;
}

/** Lists the composed crews with the arrows to them. Equal crews appear once. */
function buildComposed(inner: readonly InnerCall[], graph: CrewGraph): { edge: GraphEdge; inside: CrewGraph }[] {
  const byComposition = Map.groupBy(
    inner.filter(({ call }) => call.composed !== undefined),
    ({ call, from }) => JSON.stringify([from, call.composed]),
  );
  return [...byComposition.values()].flatMap((same, index, all) => {
    const [first] = same;
    const isDrawn = graph.nodes.some(({ name }) => name === first?.from);
    if (first?.call.composed === undefined || first.from === undefined || !isDrawn) return [];
    const to = all.length === 1 ? first.call.name : `${first.call.name} #${index + 1}`;
    const edge = {
      from: first.from,
      to,
      toKind: "crew",
      kind: "calls",
      labels: ["composed"],
      times: same.length,
    } as const;
    const calls = same.map(({ call }) => call);
    return [{ edge, inside: buildCompositionGraph(first.call.composed, calls, graph) }];
  });
}

function buildCompositionGraph(composition: Composition, calls: readonly CrewCall[], outer: CrewGraph): CrewGraph {
  const { by, mode, steps } = composition;
  const isSequence = mode === "sequence";
  const all = nameGroup(composition);
  const nodes = steps.map(({ step, task }, index): GraphNode => {
    const last = isSequence && index === steps.length - 1;
    const isEntry = isSequence && index === 0;
    return { name: step, kind: "agent", isEntry, about: undefined, task, ends: last ? ["its answer"] : [], waits: [] };
  });
  const group = { name: all, kind: "group", isEntry: true, ends: [], waits: [] } as const;
  const edges = isSequence
    ? nodes.slice(1).map(({ name }, index) => createNextEdge(nodes[index]?.name ?? "", name))
    : nodes.map(({ name }) => createMemberEdge(all, name));
  const graph: CrewGraph = {
    name: `composed by ${by}`,
    nodes: isSequence ? nodes : [{ ...group, about: `${nodes.length} at once, waits for all` }, ...nodes],
    edges,
    crews: outer.crews,
  };
  const renamed = calls.map((call) => splitIntoSteps(call, steps, isSequence));
  const drawn = buildCallsGraph(graph, renamed);
  // Of the crews that could be called from here, only those that were called.
  const crews = [...drawn.crews].filter(([name]) =>
    drawn.edges.some(({ to, toKind }) => toKind === "crew" && to === name),
  );
  return { ...drawn, crews: new Map(crews) };
}

function createNextEdge(from: string, to: string): GraphEdge {
  return { from, to, toKind: "node", kind: "moves", labels: ["then"] };
}

function createMemberEdge(from: string, to: string): GraphEdge {
  return { from, to, toKind: "node", kind: "calls", labels: [] };
}

/** A call of a composed crew with its steps in the place of agents, since one agent may do several steps. */
function splitIntoSteps(call: CrewCall, steps: Composition["steps"], isSequence: boolean): CrewCall {
  const places = steps.map(({ step }, index) => ({ step, path: `${call.path}/${isSequence ? index : `0/b${index}`}` }));
  const events = call.events.map((event): BatonEvent => {
    const place = places.find(({ path }) => isAt(event.path, path) || event.path.startsWith(`${path}.`));
    return place === undefined ? event : { ...event, agent: place.step };
  });
  // The calls of a step's own patterns are part of that step.
  const isOwn = ({ type, path }: BatonEvent) => type !== "agent.completed" || places.some((each) => each.path === path);
  return { ...call, events: events.filter(isOwn) };
}
