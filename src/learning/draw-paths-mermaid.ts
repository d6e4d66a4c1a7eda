import type { PathFigures } from "../journal/handoff-record.ts";
import { drawPaths } from "./path-drawing.ts";

/** Draws paths as a Mermaid flowchart. Wider arrows have more traffic; blue ones mostly succeed, red ones mostly fail. */
export function drawPathsMermaid(paths: readonly PathFigures[]): string {
  const drawings = drawPaths(paths);
  const arrows = drawings.flatMap((drawing) => drawing.arrows);
  return [
    "flowchart LR",
    ...drawings.flatMap((drawing, index) => [
      `  subgraph crew${index}["${escapeText(drawing.crew)}"]`,
      ...drawing.boxes.map(
        ({ id, name, isStart }) => `    ${id}${isStart ? `(["` : `["`}${escapeText(name)}${isStart ? `"])` : `"]`}`,
      ),
      ...drawing.arrows.map(({ from, to, label }) => `    ${from.id} -->|"${escapeText(label)}"| ${to.id}`),
      "  end",
    ]),
    ...arrows.map(
      ({ weight, colour }, index) =>
        `  linkStyle ${index} stroke:${colour},stroke-width:${(1 + 7 * weight).toFixed(1)}px`,
    ),
    "",
  ].join("\n");
}

function escapeText(text: string): string {
  return text.replace(/[&"<>#]/g, (character) => `#${character.charCodeAt(0)};`).replaceAll("\n", "<br/>");
}
