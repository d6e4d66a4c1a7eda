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
  terminal.print(options.json ? JSON.stringify(toJson(drawn), undefined, 2) : drawings[options.format](drawn));
  return exitCodes.completed;
}

function toJson(drawn: CrewGraph): unknown {
  return { ...drawn, crews: Object.fromEntries([...drawn.crews].map(([name, sub]) => [name, toJson(sub)])) };
}
