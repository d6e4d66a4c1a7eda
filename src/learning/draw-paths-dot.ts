import type { PathFigures } from "../journal/handoff-record.ts";
import { drawPaths } from "./path-drawing.ts";

/** Draws paths as a Graphviz digraph. Wider arrows have more traffic; blue ones mostly succeed, red ones mostly fail. */
export function drawPathsDot(paths: readonly PathFigures[]): string {
  return [
    "digraph patterns {",
    `  graph [rankdir=LR, fontname="Helvetica"];`,
    `  node [shape=box, style=rounded, fontname="Helvetica", fontsize=11];`,
    `  edge [fontname="Helvetica", fontsize=9];`,
    ...drawPaths(paths).flatMap(({ crew, boxes, arrows }, index) => [
      `  subgraph cluster_${index} {`,
      `    label=${quote(crew)};`,
      ...boxes.map(({ id, name, isStart }) => `    ${id} [label=${quote(name)}${isStart ? ", shape=plaintext" : ""}];`),
      ...arrows.map(({ from, to, label, weight, colour }) => {
        const width = (1 + 7 * weight).toFixed(1);
        return `    ${from.id} -> ${to.id} [label=${quote(label)}, penwidth=${width}, color="${colour}"];`;
      }),
      "  }",
    ]),
    "}",
    "",
  ].join("\n");
}

function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
