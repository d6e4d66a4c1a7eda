import type { CrewGraph, EdgeKind, GraphEdge, GraphNode } from "./crew-graph.ts";
import { notesOf } from "./draw-mermaid.ts";

const styles: Readonly<Record<EdgeKind, string>> = {
  moves: "style=solid",
  falls: "style=dotted",
  calls: "style=dashed, arrowhead=odot",
};

/** A Graphviz digraph. Sub-crews are clusters; an arrow to a crew ends at its border. */
export function drawDot(graph: CrewGraph): string {
  return [
    "digraph crew {",
    `  graph [compound=true, rankdir=TB, nodesep=0.4, ranksep=0.6, fontname="Helvetica"];`,
    `  node [shape=box, style=rounded, fontname="Helvetica", fontsize=11];`,
    `  edge [fontname="Helvetica", fontsize=9];`,
    ...drawCrew(graph, "", "  "),
    "}",
    "",
  ].join("\n");
}

function drawCrew(graph: CrewGraph, prefix: string, indent: string): string[] {
  const boxes = graph.nodes.map((node) => `${indent}${quote(prefix + node.name)} [${attributesOf(node)}];`);
  const crews = [...graph.crews].flatMap(([name, sub]) => [
    `${indent}subgraph ${quote(`cluster_${prefix}${name}`)} {`,
    `${indent}  label=${quote(name)}; style="rounded,dashed";`,
    ...drawCrew(sub, `${prefix}${name}/`, `${indent}  `),
    `${indent}}`,
  ]);
  return [...boxes, ...crews, ...graph.edges.map((edge) => `${indent}${drawEdge(edge, graph, prefix)}`)];
}

function attributesOf(node: GraphNode): string {
  const label = [node.name, ...notesOf(node)].join("\n");
  const shape = node.kind === "group" ? `, shape=hexagon, style=dashed` : "";
  return `label=${quote(label)}${shape}${node.isEntry ? ", penwidth=2.5" : ""}`;
}

function drawEdge(edge: GraphEdge, graph: CrewGraph, prefix: string): string {
  const isCrew = edge.toKind === "crew";
  const entry = isCrew ? graph.crews.get(edge.to)?.nodes.find(({ isEntry }) => isEntry)?.name : undefined;
  const to = isCrew
    ? `${prefix}${edge.to}/${entry ?? graph.crews.get(edge.to)?.nodes[0]?.name ?? ""}`
    : prefix + edge.to;
  const label = edge.labels.length === 0 ? "" : `label=${quote(edge.labels.join("\n"))}, `;
  const head = isCrew ? `, lhead=${quote(`cluster_${prefix}${edge.to}`)}` : "";
  return `${quote(prefix + edge.from)} -> ${quote(to)} [${label}${styles[edge.kind]}${head}];`;
}

function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
