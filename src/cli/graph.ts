import { type CrewDrawing, drawingOf } from "../flow/crew-drawing.ts";
import { type CrewGraph, graphOf } from "../flow/crew-graph.ts";
import { drawAscii } from "../flow/draw-ascii.ts";
import { drawDot } from "../flow/draw-dot.ts";
import { drawMermaid } from "../flow/draw-mermaid.ts";
import { loadValidCrew } from "./load-valid-crew.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface GraphOptions {
  readonly format: "ascii" | "mermaid" | "dot";
  readonly json?: boolean;
  readonly root?: string;
}

const drawings: Readonly<Record<GraphOptions["format"], (graph: CrewGraph) => string>> = {
  ascii: drawAscii,
  mermaid: drawMermaid,
  dot: drawDot,
};

/** `baton graph`: draws a crew. */
export function graph(path: string, options: GraphOptions, terminal: Terminal): number {
  const crew = loadValidCrew(path, options.root, terminal);
  if (crew === undefined) return exitCodes.invalid;
  const drawn = graphOf(crew);
  terminal.print(
    options.json ? JSON.stringify(toJson(drawingOf(drawn)), undefined, 2) : drawings[options.format](drawn),
  );
  return exitCodes.completed;
}

/** Like the drawings, each crew's inside once; where it comes again, the keys of `crews` that lead to it. */
function toJson({ graph: { name, nodes, edges }, crews }: CrewDrawing): unknown {
  const subCrews = crews.map((box) => [box.name, box.type === "crew" ? toJson(box.inside) : { drawnAs: box.drawnAs }]);
  return { name, nodes, edges, crews: Object.fromEntries(subCrews) };
}
