import { buildDrawing, type CrewBox, type CrewDrawing, type NodeBox } from "./crew-drawing.ts";
import { type CrewGraph, type EdgeKind, type GraphEdge, isMissing, listEdgeLabels, listNotes } from "./crew-graph.ts";

const arrowSigns: Readonly<Record<EdgeKind, string>> = { moves: "-->", falls: "-.->", calls: "-.-o" };

/** Draws a Mermaid flowchart. Sub-crews are boxes around their own drawings. */
export function drawMermaid(graph: CrewGraph): string {
  const drawing = buildDrawing(graph);
  const lines = ["flowchart TD", ...drawCrew(drawing, "  ")];
  const styles = [
    "classDef entry stroke-width:3px",
    "classDef group stroke-dasharray:5 3",
    ...(lines.some((line) => line.endsWith(" missing")) ? ["classDef missing stroke:#b3261e,color:#b3261e"] : []),
    ...listMissingArrows(drawing),
  ];
  return [...lines, ...styles.map((style) => `  ${style}`), ""].join("\n");
}

function drawCrew({ boxes, crews, arrows }: CrewDrawing, indent: string): string[] {
  return [
    ...boxes.map((box) => `${indent}${drawNode(box)}`),
    ...boxes.filter(({ node }) => isMissing(node)).map(({ id }) => `${indent}class ${id} missing`),
    ...crews.flatMap((box) => drawSubCrew(box, indent)),
    ...arrows.map(({ from, to, edge }) => {
      const lines = listEdgeLabels(edge);
      const label = lines.length === 0 ? "" : `|"${lines.map(escapeText).join("<br/>")}"|`;
      return `${indent}${from.id} ${arrowSigns[edge.kind]}${label} ${to.id}`;
    }),
  ];
}

/** Mermaid knows arrows by their numbers, in the order in which they are drawn: those of inner crews first. */
function listMissingArrows(drawing: CrewDrawing): string[] {
  const numbers = listEdges(drawing).flatMap((edge, index) => (isMissing(edge) ? [index] : []));
  return numbers.length === 0 ? [] : [`linkStyle ${numbers.join(",")} stroke:#b3261e,color:#b3261e`];
}

function listEdges({ crews, arrows }: CrewDrawing): GraphEdge[] {
  const inner = crews.flatMap((box) => (box.type === "crew" ? listEdges(box.inside) : []));
  return [...inner, ...arrows.map(({ edge }) => edge)];
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
