import { buildDrawing, type CrewBox, type CrewDrawing, type NodeBox } from "./crew-drawing.ts";
import { type CrewGraph, type EdgeKind, listEdgeLabels, listNotes } from "./crew-graph.ts";

const arrowSigns: Readonly<Record<EdgeKind, string>> = { moves: "-->", falls: "-.->", calls: "-.-o" };

/** Draws a Mermaid flowchart. Sub-crews are boxes around their own drawings. */
export function drawMermaid(graph: CrewGraph): string {
  const lines = ["flowchart TD", ...drawCrew(buildDrawing(graph), "  ")];
  const styles = ["classDef entry stroke-width:3px", "classDef group stroke-dasharray:5 3"];
  return [...lines, ...styles.map((style) => `  ${style}`), ""].join("\n");
}

function drawCrew({ boxes, crews, arrows }: CrewDrawing, indent: string): string[] {
  return [
    ...boxes.map((box) => `${indent}${drawNode(box)}`),
    ...crews.flatMap((box) => drawSubCrew(box, indent)),
    ...arrows.map(({ from, to, edge }) => {
      const lines = listEdgeLabels(edge);
      const label = lines.length === 0 ? "" : `|"${lines.map(escapeText).join("<br/>")}"|`;
      return `${indent}${from.id} ${arrowSigns[edge.kind]}${label} ${to.id}`;
    }),
  ];
}

function drawNode({ id, node }: NodeBox): string {
  const label = [`<b>${escapeText(node.name)}</b>`, ...listNotes(node).map(escapeText)].join("<br/>");
  if (node.kind === "group") return `${id}{{"${label}"}}:::group`;
  return node.isEntry ? `${id}(["${label}"]):::entry` : `${id}["${label}"]`;
}

function drawSubCrew(box: CrewBox, indent: string): string[] {
  const name = escapeText(box.name);
  if (box.type === "repeat") {
    return [`${indent}${box.id}["<b>${name}</b><br/>drawn as ${escapeText(box.drawnAs.join(" / "))}"]`];
  }
  return [`${indent}subgraph ${box.id}["${name}"]`, ...drawCrew(box.inside, `${indent}  `), `${indent}end`];
}

function escapeText(text: string): string {
  return text.replace(/[&"<>#]/g, (character) => `#${character.charCodeAt(0)};`).replaceAll("\n", "<br/>");
}
