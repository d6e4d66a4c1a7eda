import type { CrewGraph, EdgeKind, GraphEdge, GraphNode } from "./crew-graph.ts";

const arrows: Readonly<Record<EdgeKind, string>> = { moves: "-->", falls: "-.->", calls: "-.-o" };

/** A Mermaid flowchart. Sub-crews are boxes around their own drawing. */
export function drawMermaid(graph: CrewGraph): string {
  const lines = ["flowchart TD", ...drawCrew(graph, "n", "  ")];
  const styles = ["classDef entry stroke-width:3px", "classDef group stroke-dasharray:5 3"];
  return [...lines, ...styles.map((style) => `  ${style}`), ""].join("\n");
}

/** Names may hold anything, so boxes are numbered; `prefix` keeps those of different crews apart. */
function drawCrew(graph: CrewGraph, prefix: string, indent: string): string[] {
  const ids = new Map(graph.nodes.map((node, index) => [node.name, `${prefix}${index}`]));
  const crewIds = new Map([...graph.crews.keys()].map((name, index) => [name, `${prefix}c${index}_`]));
  const boxes = graph.nodes.map((node) => `${indent}${drawNode(node, ids.get(node.name) ?? "")}`);
  const crews = [...graph.crews].flatMap(([name, sub]) => {
    const id = crewIds.get(name) ?? "";
    return [`${indent}subgraph ${id}["${escapeText(name)}"]`, ...drawCrew(sub, id, `${indent}  `), `${indent}end`];
  });
  const edges = graph.edges.map((edge) => `${indent}${drawEdge(edge, ids, crewIds)}`);
  return [...boxes, ...crews, ...edges];
}

function drawNode(node: GraphNode, id: string): string {
  const label = [`<b>${escapeText(node.name)}</b>`, ...notesOf(node).map(escapeText)].join("<br/>");
  if (node.kind === "group") return `${id}{{"${label}"}}:::group`;
  return node.isEntry ? `${id}(["${label}"]):::entry` : `${id}["${label}"]`;
}

function drawEdge(edge: GraphEdge, ids: ReadonlyMap<string, string>, crewIds: ReadonlyMap<string, string>): string {
  const to = edge.toKind === "crew" ? crewIds.get(edge.to) : ids.get(edge.to);
  const label = edge.labels.length === 0 ? "" : `|"${edge.labels.map(escapeText).join("<br/>")}"|`;
  return `${ids.get(edge.from)} ${arrows[edge.kind]}${label} ${to}`;
}

/** How the run may end or wait in a box, in words. */
export function notesOf(node: GraphNode): string[] {
  return [
    ...(node.ends.length === 0 ? [] : [`■ ends: ${node.ends.join(", ")}`]),
    ...(node.waits.length === 0 ? [] : [`‖ waits: ${node.waits.join(", ")}`]),
    ...(node.kind === "group" && node.about !== undefined ? [node.about] : []),
  ];
}

function escapeText(text: string): string {
  return text.replace(/[&"<>#]/g, (character) => `#${character.charCodeAt(0)};`).replaceAll("\n", "<br/>");
}
