import type { CrewGraph, GraphEdge, GraphNode } from "./crew-graph.ts";

/** A crew's graph, prepared for drawing: boxes have ids, arrows know their ends, and each crew's inside appears once. */
export interface CrewDrawing {
  readonly graph: CrewGraph;
  readonly boxes: readonly NodeBox[];
  readonly crews: readonly CrewBox[];
  readonly arrows: readonly Arrow[];
}

export interface NodeBox {
  readonly type: "node";
  /** Letters, digits and `_` only, because names may contain anything, and names of different crews may be equal. */
  readonly id: string;
  readonly node: GraphNode;
}

/** A sub-crew: the box around its drawing, or a box that says where its drawing is. */
export type CrewBox =
  | { readonly type: "crew"; readonly id: string; readonly name: string; readonly inside: CrewDrawing }
  | { readonly type: "repeat"; readonly id: string; readonly name: string; readonly drawnAs: CrewPath };

/** The names of the sub-crews that lead from the outermost crew to this one. */
type CrewPath = readonly string[];

interface Arrow {
  readonly from: NodeBox;
  readonly to: NodeBox | CrewBox;
  readonly edge: GraphEdge;
}

export function buildDrawing(graph: CrewGraph): CrewDrawing {
  return drawCrew(graph, "n", [], new Map());
}

/** `drawn` contains the crews that are drawn already. Drawing each again under every name would take exponential space. */
function drawCrew(graph: CrewGraph, id: string, path: CrewPath, drawn: Map<CrewGraph, CrewPath>): CrewDrawing {
  const boxes = graph.nodes.map((node, index): NodeBox => ({ type: "node", id: `${id}${index}`, node }));
  const crews = [...graph.crews].map(([name, sub], index): CrewBox => {
    const box = { id: `${id}c${index}_`, name };
    const drawnAs = drawn.get(sub);
    if (drawnAs !== undefined) return { ...box, type: "repeat", drawnAs };
    const own = [...path, name];
    drawn.set(sub, own);
    return { ...box, type: "crew", inside: drawCrew(sub, box.id, own, drawn) };
  });
  return { graph, boxes, crews, arrows: buildArrows(graph, boxes, crews) };
}

function buildArrows(graph: CrewGraph, boxes: readonly NodeBox[], crews: readonly CrewBox[]): Arrow[] {
  const nodeBoxes = new Map(boxes.map((box) => [box.node.name, box]));
  const crewBoxes = new Map(crews.map((box) => [box.name, box]));
  return graph.edges.map((edge) => {
    const from = nodeBoxes.get(edge.from);
    const to = (edge.toKind === "crew" ? crewBoxes : nodeBoxes).get(edge.to);
    if (from === undefined || to === undefined)
      throw new Error(
        `the graph of '${graph.name}' has an arrow from '${edge.from}' to '${edge.to}' but not both boxes`,
      );
    return { from, to, edge };
  });
}
