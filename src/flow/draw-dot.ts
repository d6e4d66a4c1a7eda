import { buildDrawing, type CrewBox, type CrewDrawing, type NodeBox } from "./crew-drawing.ts";
import {
  type CrewGraph,
  type EdgeKind,
  type GraphEdge,
  type GraphNode,
  isMissing,
  listEdgeLabels,
  listNotes,
} from "./crew-graph.ts";

const styles: Readonly<Record<EdgeKind, string>> = {
  moves: "style=solid",
  falls: "style=dotted",
  calls: "style=dashed, arrowhead=odot",
};

const MISSING = ', color="#b3261e", fontcolor="#b3261e"';

/** Draws a Graphviz digraph. Sub-crews are clusters; an arrow to a crew ends at its border. */
export function drawDot(graph: CrewGraph): string {
  return [
    "digraph crew {",
    `  graph [compound=true, rankdir=TB, nodesep=0.4, ranksep=0.6, fontname="Helvetica"];`,
    `  node [shape=box, style=rounded, fontname="Helvetica", fontsize=11];`,
    `  edge [fontname="Helvetica", fontsize=9];`,
    ...drawCrew(buildDrawing(graph), "  "),
    "}",
    "",
  ].join("\n");
}

function drawCrew({ boxes, crews, arrows }: CrewDrawing, indent: string): string[] {
  return [
    ...boxes.map(({ id, node }) => `${indent}${id} [${formatAttributes(node)}];`),
    ...crews.flatMap((box) => drawSubCrew(box, indent)),
    ...arrows.map(({ from, to, edge }) => `${indent}${drawArrow(from, to, edge)}`),
  ];
}

function formatAttributes(node: GraphNode): string {
  const label = [node.name, ...listNotes(node)].join("\n");
  const shape = node.kind === "group" ? `, shape=hexagon, style=dashed` : "";
  return `label=${quote(label)}${shape}${node.isEntry ? ", penwidth=2.5" : ""}${isMissing(node) ? MISSING : ""}`;
}

function drawSubCrew(box: CrewBox, indent: string): string[] {
  if (box.type === "repeat") {
    const label = `${box.name}\ndrawn as ${box.drawnAs.join(" / ")}`;
    return [`${indent}${box.id} [label=${quote(label)}, style="rounded,dashed"];`];
  }
  return [
    `${indent}subgraph cluster_${box.id} {`,
    `${indent}  label=${quote(box.name)}; style="rounded,dashed";`,
    // An arrow to a crew needs a node inside, also if the crew has no agents.
    ...(findFirstBox(box.inside) === undefined ? [`${indent}  ${box.id} [shape=point, style=invis];`] : []),
    ...drawCrew(box.inside, `${indent}  `),
    `${indent}}`,
  ];
}

/** Graphviz only draws arrows between nodes. An arrow to a cluster leads to a node in it and is cut off at the border. */
function drawArrow(from: NodeBox, to: NodeBox | CrewBox, edge: GraphEdge): string {
  const head = to.type === "crew" ? (findFirstBox(to.inside) ?? to) : to;
  const lines = listEdgeLabels(edge);
  const label = lines.length === 0 ? "" : `label=${quote(lines.join("\n"))}, `;
  const border = to.type === "crew" ? `, lhead=cluster_${to.id}` : "";
  return `${from.id} -> ${head.id} [${label}${styles[edge.kind]}${border}${edge.times === undefined ? "" : ", penwidth=2.5"}${isMissing(edge) ? MISSING : ""}];`;
}

function findFirstBox({ boxes }: CrewDrawing): NodeBox | undefined {
  return boxes.find(({ node }) => node.isEntry) ?? boxes[0];
}

function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
