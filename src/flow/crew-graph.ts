import type { Crew, Group } from "../vocabulary/crew.ts";
import { exploreFlow, type ReachedStop } from "./explore-flow.ts";
import { listEntries } from "./list-entries.ts";
import type { Stop, Transition, TransitionKind } from "./transitions.ts";

/** A crew as boxes and arrows, for the drawings. Ends and pauses are notes on the box where they happen. */
export interface CrewGraph {
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Sub-crews by the names that call them. A crew with several names is the same object under each. */
  readonly crews: ReadonlyMap<string, CrewGraph>;
}

/** An agent, a group or a sub-crew in a graph. */
export interface GraphNode {
  readonly name: string;
  readonly kind: "agent" | "group";
  readonly isEntry: boolean;
  readonly about: string | undefined;
  /** Whether a function answers, and no model. */
  readonly isFunction?: true;
  /** An agent of another system. */
  readonly isRemote?: true;
  /** Its task, in a composed crew. */
  readonly task?: string;
  /** How the run may end here: signals, or `no signal`. */
  readonly ends: readonly string[];
  /** What makes the run wait for a human here. */
  readonly waits: readonly string[];
  /** How often it answered, in the graph of a run. */
  readonly times?: number;
  /** What no scenario shows here, in the graph of a coverage. */
  readonly missing?: readonly string[];
}

/** `moves` pass the work on, `falls` do so if no signal decides, `calls` return to the caller. */
export type EdgeKind = "moves" | "falls" | "calls";

/** An arrow of a graph: from an agent or group to another one, or to a sub-crew. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly toKind: "node" | "crew";
  readonly kind: EdgeKind;
  readonly labels: readonly string[];
  /** How often the run took this arrow, in the graph of a run. */
  readonly times?: number;
  /** Whether scenarios show all that the arrow stands for, in the graph of a coverage. */
  readonly isCovered?: boolean;
}

const edgeKinds: Readonly<Record<TransitionKind, EdgeKind>> = {
  signal: "moves",
  router: "moves",
  transfer: "moves",
  handoff: "moves",
  next: "moves",
  wait: "falls",
  terminal: "falls",
  default: "falls",
  target: "falls",
  fallback: "falls",
  team: "moves",
  "team-member": "calls",
  advisor: "calls",
  guard: "calls",
  "sub-agent": "calls",
  composed: "calls",
  member: "calls",
};

const edgeWords: Readonly<Partial<Record<TransitionKind, string>>> = {
  router: "router",
  transfer: "transfer",
  handoff: "handoff",
  next: "then",
  default: "no signal",
  target: "no signal",
  fallback: "no signal",
  team: "team",
  "team-member": "team",
  advisor: "advised by",
  guard: "guarded by",
  "sub-agent": "asks",
  composed: "may compose",
};

/** Builds the graph of a crew: an agent or group for each box, and an arrow for each way that the work can take. */
export function buildGraph(crew: Crew): CrewGraph {
  return buildGraphOnce(crew, new Map());
}

/** A task is written for a model. A box only has room for its beginning. */
const LONGEST_TASK = 60;

function cut(text: string, length: number): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** Lists how the run may end or wait in a box, in words. */
export function listNotes(node: GraphNode): string[] {
  return [
    ...(node.isFunction ? ["ƒ function"] : []),
    ...(node.isRemote ? ["⇄ remote agent"] : []),
    ...(node.ends.length === 0 ? [] : [`■ ends: ${node.ends.join(", ")}`]),
    ...(node.waits.length === 0 ? [] : [`‖ waits: ${node.waits.join(", ")}`]),
    ...(node.task === undefined ? [] : [cut(node.task, LONGEST_TASK)]),
    ...(node.times === undefined ? [] : [`✓ ×${node.times}`]),
    ...(node.missing ?? []).map((what) => `✗ ${what}`),
    ...(node.kind === "group" && node.about !== undefined ? [node.about] : []),
  ];
}

/** Lists the labels of an arrow, one line each. */
export function listEdgeLabels({ labels, times, isCovered }: GraphEdge): readonly string[] {
  return [
    ...labels,
    ...(times === undefined ? [] : [`✓ ×${times}`]),
    ...(isCovered === undefined ? [] : [isCovered ? "✓" : "✗ no scenario"]),
  ];
}

/** Whether a drawing shows that something is missing here. */
export function isMissing(part: GraphNode | GraphEdge): boolean {
  return "toKind" in part ? part.isCovered === false : (part.missing ?? []).length > 0;
}

/** `built` contains the graphs that are built already. Building shared crews again at every level would take exponential time. */
function buildGraphOnce(crew: Crew, built: Map<Crew, CrewGraph>): CrewGraph {
  const known = built.get(crew);
  if (known !== undefined) return known;
  const reached = [...exploreFlow(crew).values()];
  const edges = [...reached.flatMap((each) => buildEdges(each, crew)), ...callEdges(crew), ...buildChoiceEdges(crew)];
  const graph: CrewGraph = {
    name: crew.name,
    nodes: [...buildAgentNodes(crew, reached), ...buildGroupNodes(crew)],
    edges: mergeEdges(edges.filter((edge) => isComplete(edge, crew))),
    crews: new Map([...crew.subCrews].map(([name, { crew: sub }]) => [name, buildGraphOnce(sub, built)])),
  };
  built.set(crew, graph);
  return graph;
}

/** A classifier chooses among the agents that a run may begin with. */
function buildChoiceEdges(crew: Crew): GraphEdge[] {
  const from = crew.entryPoint.type === "auto" ? crew.settings.classifier : undefined;
  if (from === undefined) return [];
  const entries = listEntries(crew).filter(({ id }) => id !== from);
  return entries.map(({ id: to }) => ({ from, to, toKind: "node", kind: "moves", labels: ["chooses"] }));
}

/** Loading refuses a crew with missing references. A crew from elsewhere is drawn without them. */
function isComplete({ from, to, toKind }: GraphEdge, crew: Crew): boolean {
  const isNode = (name: string) => crew.agents.has(name) || crew.groups.has(name);
  return isNode(from) && (toKind === "crew" ? crew.subCrews.has(to) : isNode(to));
}

function buildAgentNodes(crew: Crew, reached: readonly ReachedStop[]): GraphNode[] {
  const byAgent = Map.groupBy(reached, ({ stop }) =>
    stop.type === "agent" && stop.standing !== "called" ? stop.agent : undefined,
  );
  const entries = new Set(listEntries(crew).map(({ id }) => id));
  return [...crew.agents.values()].map((agent) => {
    const { id } = agent;
    const transitions = (byAgent.get(id) ?? []).flatMap((each) => each.transitions);
    return {
      name: id,
      kind: "agent",
      isEntry: entries.has(id),
      about: agent.description ?? agent.role,
      ...(agent.function !== undefined &&
        (agent.function.remote === undefined ? { isFunction: true } : { isRemote: true })),
      ends: listReasons(transitions, "end"),
      waits: [
        ...listReasons(transitions, "pause"),
        ...(crew.behaviors.get(id)?.autoRoute === false ? ["approval"] : []),
      ],
    };
  });
}

function listReasons(transitions: readonly Transition[], type: Stop["type"]): string[] {
  const found = transitions
    .filter(({ stop }) => stop.type === type)
    .map(({ kind, signal }) => signal ?? describeStay(kind));
  return [...new Set(found)];
}

function describeStay(kind: TransitionKind): string {
  return kind === "terminal" ? "its answer" : "no signal";
}

function buildGroupNodes(crew: Crew): GraphNode[] {
  return [...crew.groups].map(([name, group]) => ({
    name,
    kind: "group",
    isEntry: false,
    about: group.description ?? describeGroup(group),
    ends: [],
    waits: [],
  }));
}

function describeGroup({ agents, crews, minSuccess, waitForAll, forEach }: Group): string {
  if (forEach !== undefined) {
    const { items, maxItems, concurrency } = forEach;
    const waits = minSuccess !== undefined ? `, waits for ${minSuccess}` : waitForAll ? "" : ", first counts";
    return `for each of ${items}: at most ${maxItems}, ${concurrency} at once${waits}`;
  }
  const members = agents.length + crews.length;
  if (minSuccess !== undefined) return `${members} at once, waits for ${minSuccess}`;
  if (waitForAll) return `${members} at once, waits for all`;
  return `${members} at once, first counts`;
}

function buildEdges({ stop, transitions }: ReachedStop, crew: Crew): GraphEdge[] {
  const from = stop.type === "agent" ? stop.agent : stop.type === "group" ? stop.group : undefined;
  if (from === undefined) return [];
  const edges = transitions.flatMap((transition) => buildTransitionEdges(from, transition));
  const group = stop.type === "group" ? crew.groups.get(stop.group) : undefined;
  const labels = group?.forEach === undefined ? [] : [`for each of ${group.forEach.items}`];
  const members = edges.map((edge) => (edge.kind === "calls" && edge.labels.length === 0 ? { ...edge, labels } : edge));
  const crews = (group?.crews ?? []).map((to): GraphEdge => ({ from, to, toKind: "crew", kind: "calls", labels }));
  return [...members, ...crews];
}

/** Sub-crews that an agent can call, or that replace a failed one. */
function callEdges(crew: Crew): GraphEdge[] {
  const edge = (from: string, to: string, label: string): GraphEdge => ({
    from,
    to,
    toKind: "crew",
    kind: "calls",
    labels: [label],
  });
  const delegated = [...crew.agents.values()].flatMap(({ id, delegate }) =>
    delegate.map((to) => edge(id, to, "delegates")),
  );
  const fallbacks = [...crew.bindings].flatMap(([id, bindings]) =>
    bindings.flatMap(({ signal, move }) =>
      move.type === "sub_crew" && move.onError.includes("fallback") && move.fallbackCrew !== undefined
        ? [edge(id, move.fallbackCrew, `${signal} failed`)]
        : [],
    ),
  );
  return [...delegated, ...fallbacks];
}

function buildTransitionEdges(from: string, { kind, stop, signal }: Transition): GraphEdge[] {
  const label = signal ?? edgeWords[kind];
  const labels = label === undefined ? [] : [label];
  const edge = { from, kind: edgeKinds[kind], labels };
  switch (stop.type) {
    case "agent":
      return [{ ...edge, to: stop.agent, toKind: "node" }];
    case "group":
      return [{ ...edge, to: stop.group, toKind: "node" }];
    case "crews": {
      const back = stop.returnTo === from ? "" : `, result to ${stop.returnTo}`;
      return stop.crews.map((crew) => ({
        ...edge,
        kind: "calls",
        labels: labels.map((each) => each + back),
        to: crew,
        toKind: "crew",
      }));
    }
    case "end":
    case "pause":
      return [];
  }
}

/** Merges all edges of one kind between two boxes into one arrow. */
function mergeEdges(edges: readonly GraphEdge[]): GraphEdge[] {
  const merged = new Map<string, { readonly edge: GraphEdge; readonly labels: Set<string> }>();
  for (const edge of edges) {
    const key = JSON.stringify([edge.from, edge.to, edge.toKind, edge.kind]);
    const { labels } = merged.get(key) ?? { labels: new Set<string>() };
    for (const label of edge.labels) labels.add(label);
    merged.set(key, { edge, labels });
  }
  return [...merged.values()].map(({ edge, labels }) => ({ ...edge, labels: [...labels] }));
}
