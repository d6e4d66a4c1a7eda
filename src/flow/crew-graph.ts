import type { Crew, Group } from "../crew.ts";
import { exploreFlow, type Spot } from "./explore-flow.ts";
import type { Stop, Transition, TransitionKind } from "./transitions.ts";

/** A crew as boxes and arrows, for the drawings. Ends and pauses are notes of the box they happen in. */
export interface CrewGraph {
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly crews: ReadonlyMap<string, CrewGraph>;
}

export interface GraphNode {
  readonly name: string;
  readonly kind: "agent" | "group";
  readonly isEntry: boolean;
  readonly about: string | undefined;
  /** How the run may end here: signals, or `no signal`. */
  readonly ends: readonly string[];
  /** What makes the run wait for a human here. */
  readonly waits: readonly string[];
}

/** `moves` pass the work on, `falls` do so when no signal says otherwise, `calls` come back. */
export type EdgeKind = "moves" | "falls" | "calls";

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly toKind: "node" | "crew";
  readonly kind: EdgeKind;
  readonly labels: readonly string[];
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
  team: "calls",
  advisor: "calls",
  "sub-agent": "calls",
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
  advisor: "advised by",
  "sub-agent": "asks",
};

export function graphOf(crew: Crew): CrewGraph {
  const spots = [...exploreFlow(crew).values()];
  return {
    name: crew.name,
    nodes: [...agentNodes(crew, spots), ...groupNodes(crew)],
    edges: mergeEdges([...spots.flatMap((spot) => edgesOf(spot, crew)), ...callEdges(crew)]),
    crews: new Map([...crew.subCrews].map(([name, { crew: sub }]) => [name, graphOf(sub)])),
  };
}

function agentNodes(crew: Crew, spots: readonly Spot[]): GraphNode[] {
  return [...crew.agents.values()].map((agent) => {
    const transitions = spots.flatMap(({ stop, transitions }) =>
      stop.type === "agent" && stop.agent === agent.id && stop.standing !== "called" ? transitions : [],
    );
    return {
      name: agent.id,
      kind: "agent",
      isEntry: crew.entryPoint.type === "agent" && crew.entryPoint.agent === agent.id,
      about: agent.description ?? agent.role,
      ends: reasons(transitions, "end"),
      waits: [
        ...reasons(transitions, "pause"),
        ...(crew.behaviors.get(agent.id)?.autoRoute === false ? ["approval"] : []),
      ],
    };
  });
}

function reasons(transitions: readonly Transition[], type: Stop["type"]): string[] {
  const found = transitions
    .filter(({ stop }) => stop.type === type)
    .map(({ kind, signal }) => signal ?? wordOfStay(kind));
  return [...new Set(found)];
}

function wordOfStay(kind: TransitionKind): string {
  return kind === "terminal" ? "its answer" : "no signal";
}

function groupNodes(crew: Crew): GraphNode[] {
  return [...crew.groups].map(([name, group]) => ({
    name,
    kind: "group",
    isEntry: false,
    about: group.description ?? describeGroup(group),
    ends: [],
    waits: [],
  }));
}

function describeGroup(group: Group): string {
  const members = group.agents.length + group.crews.length;
  const wanted = group.minSuccess === undefined ? (group.waitForAll ? "all" : "first") : `${group.minSuccess}`;
  return `${members} at once, ${wanted} counts`.replace("all counts", "waits for all");
}

function edgesOf({ stop, transitions }: Spot, crew: Crew): GraphEdge[] {
  if (stop.type === "crews") return [];
  const from = stop.type === "agent" ? stop.agent : stop.type === "group" ? stop.group : undefined;
  if (from === undefined) return [];
  const edges = transitions.flatMap((transition) => edgesOfTransition(from, transition));
  const crews = stop.type === "group" ? (crew.groups.get(stop.group)?.crews ?? []) : [];
  return [...edges, ...crews.map((to): GraphEdge => ({ from, to, toKind: "crew", kind: "calls", labels: [] }))];
}

/** Sub-crews that are called at an agent's wish, or when another one fails. */
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
      move.type === "sub_crew" && move.fallbackCrew !== undefined
        ? [edge(id, move.fallbackCrew, `${signal} failed`)]
        : [],
    ),
  );
  return [...delegated, ...fallbacks];
}

function edgesOfTransition(from: string, { kind, stop, signal }: Transition): GraphEdge[] {
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

/** One arrow for all that leads from one box to another in one way. */
function mergeEdges(edges: readonly GraphEdge[]): GraphEdge[] {
  const merged = new Map<string, GraphEdge>();
  for (const edge of edges) {
    const key = [edge.from, edge.to, edge.toKind, edge.kind].join("\u0000");
    const labels = [...(merged.get(key)?.labels ?? []), ...edge.labels];
    merged.set(key, { ...edge, labels: [...new Set(labels)] });
  }
  return [...merged.values()];
}
