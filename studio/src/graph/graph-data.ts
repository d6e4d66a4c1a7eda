import {
  type CrewGraph,
  type EdgeKind,
  type GraphEdge,
  type GraphNode,
  listEdgeLabels,
  listNotes,
} from "../../../src/flow/crew-graph.ts";

/** The graph of a crew as JSON. A crew that is drawn already stands as the names that lead to it. */
export interface GraphJson extends Omit<CrewGraph, "crews"> {
  readonly crews: Readonly<Record<string, GraphJson | { readonly drawnAs: readonly string[] }>>;
}

export function readGraph(json: GraphJson): CrewGraph {
  return read(json, (path) => path.reduce<GraphJson | undefined>((crew, name) => findInside(crew, name), json));
}

function findInside(crew: GraphJson | undefined, name: string): GraphJson | undefined {
  const inside = crew?.crews[name];
  return inside === undefined || "drawnAs" in inside ? undefined : inside;
}

function read({ crews, ...graph }: GraphJson, find: (path: readonly string[]) => GraphJson | undefined): CrewGraph {
  const inside = Object.entries(crews).flatMap(([name, crew]): [string, CrewGraph][] => {
    const found = "drawnAs" in crew ? find(crew.drawnAs) : crew;
    return found === undefined ? [] : [[name, read(found, find)]];
  });
  return { ...graph, crews: new Map(inside) };
}

/** A box that is drawn. Boxes inside an opened sub-crew have it as `parent`. */
export interface DrawnBox {
  readonly id: string;
  readonly parent: string | undefined;
  readonly kind: "agent" | "group" | "crew";
  readonly name: string;
  readonly node: GraphNode | undefined;
  readonly notes: readonly string[];
  /** For a sub-crew: whether its own boxes are drawn inside it. */
  readonly isOpen: boolean;
}

/** All ways from one box to another, as one arrow. */
export interface DrawnArrow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** The most binding of its ways. */
  readonly kind: EdgeKind;
  readonly isTaken: boolean;
  readonly edges: readonly GraphEdge[];
  /** What stands beside it, a line each. */
  readonly lines: readonly string[];
}

export interface Drawing {
  readonly boxes: readonly DrawnBox[];
  readonly arrows: readonly DrawnArrow[];
}

/** What views add to a drawing: costs, coverage, traffic. */
export interface Additions {
  readonly notesOf?: ((box: Pick<DrawnBox, "id" | "name" | "kind">) => readonly string[]) | undefined;
  readonly linesOf?: ((edges: readonly GraphEdge[]) => readonly string[]) | undefined;
}

/** Lists what is drawn while some sub-crews are open. Ids are paths of names: `alpha/writer`. */
export function listDrawing(graph: CrewGraph, open: ReadonlySet<string>, more: Additions = {}, parent = ""): Drawing {
  const id = (name: string) => (parent === "" ? name : `${parent}/${name}`);
  const above = parent === "" ? undefined : parent;
  const agents = graph.nodes.map((node): DrawnBox => {
    const box = { id: id(node.name), parent: above, kind: node.kind, name: node.name };
    return { ...box, node, notes: [...listNotes(node), ...(more.notesOf?.(box) ?? [])], isOpen: false };
  });
  const called = [...graph.crews.keys()].filter((name) => graph.edges.some((edge) => isCallOf(edge, name)));
  const crews = called.map((name): DrawnBox => {
    const box = { id: crewId(id(name)), parent: above, kind: "crew", name } as const;
    return { ...box, node: undefined, notes: more.notesOf?.(box) ?? [], isOpen: open.has(box.id) };
  });
  const inside = crews.flatMap((box) => {
    const sub = graph.crews.get(box.name);
    return box.isOpen && sub !== undefined ? [listDrawing(sub, open, more, box.id)] : [];
  });
  return {
    boxes: [...agents, ...crews, ...inside.flatMap(({ boxes }) => boxes)],
    arrows: [...mergeEdges(graph.edges, id, more), ...inside.flatMap((drawing) => drawing.arrows)],
  };
}

function isCallOf({ to, toKind }: GraphEdge, name: string): boolean {
  return toKind === "crew" && to === name;
}

/** A sub-crew may have the name of an agent. */
function crewId(id: string): string {
  return `${id}▣`;
}

const kinds: readonly EdgeKind[] = ["moves", "falls", "calls"];
const LONGEST = 34;

function mergeEdges(edges: readonly GraphEdge[], id: (name: string) => string, { linesOf }: Additions): DrawnArrow[] {
  const byEnds = Map.groupBy(edges, ({ from, to, toKind }) => JSON.stringify([from, to, toKind]));
  return [...byEnds].flatMap(([key, same]) => {
    const [first] = same;
    if (first === undefined) return [];
    const to = first.toKind === "crew" ? crewId(id(first.to)) : id(first.to);
    const lines = same.map((edge) => listEdgeLabels(edge).join(", ")).filter((line) => line !== "");
    return {
      id: `${id("")}${key}`,
      from: id(first.from),
      to,
      kind: kinds.find((kind) => same.some((edge) => edge.kind === kind)) ?? first.kind,
      isTaken: same.some(({ times = 0 }) => times > 0),
      edges: same,
      lines: [...lines, ...(linesOf?.(same) ?? [])].map((line) =>
        line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line,
      ),
    };
  });
}
