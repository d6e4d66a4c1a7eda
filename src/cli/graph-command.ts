import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { buildDrawing, type CrewDrawing } from "../flow/crew-drawing.ts";
import { buildGraph, type CrewGraph } from "../flow/crew-graph.ts";
import { drawAscii } from "../flow/draw-ascii.ts";
import { drawDot } from "../flow/draw-dot.ts";
import { drawMermaid } from "../flow/draw-mermaid.ts";
import { drawSvg } from "../flow/draw-svg.ts";
import { overlayPlan } from "../flow/plan/overlay-plan.ts";
import type { Plan } from "../flow/plan/plan.ts";
import { buildRunGraph } from "../flow/run-graph.ts";
import type { Store } from "../journal/store.ts";
import { planCrew } from "../library/plan-crew.ts";
import { readCrewCopy } from "../run-storage/crew-copy.ts";
import { buildCoverageGraph } from "../scenario/build-coverage-graph.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { findRun } from "./find-run.ts";
import { loadValidCrew } from "./load-valid-crew.ts";
import { explain } from "./run-command.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export type DrawingFormat = "ascii" | "mermaid" | "dot" | "svg";

export interface GraphOptions {
  readonly format: DrawingFormat;
  readonly json?: boolean;
  readonly root?: string;
}

const drawings: Readonly<Record<DrawingFormat, (graph: CrewGraph) => string>> = {
  ascii: drawAscii,
  mermaid: drawMermaid,
  dot: drawDot,
  svg: drawSvg,
};

/** `baton graph`: draws a crew. */
export function graph(path: string, options: GraphOptions, terminal: Terminal): number {
  const crew = loadValidCrew(path, options.root, terminal);
  if (crew === undefined) return exitCodes.invalid;
  return print(buildGraph(crew), options, terminal);
}

/** `baton graph --coverage`: draws a crew with what scenarios show of it, and what none does. */
export async function graphCoverage(
  path: string,
  scenarios: readonly string[],
  options: GraphOptions,
  terminal: Terminal,
): Promise<number> {
  if (loadValidCrew(path, options.root, terminal) === undefined) return exitCodes.invalid;
  const { workingDirectory } = terminal;
  const missing = scenarios.find((each) => !existsSync(resolve(workingDirectory, each)));
  if (missing !== undefined) {
    terminal.note(`error: --coverage: ${missing} does not exist; give scenario files, or folders that contain some`);
    return exitCodes.usage;
  }
  const release = terminal.divertTools();
  const root = options.root === undefined ? {} : { root: options.root };
  const built = await buildCoverageGraph(path, scenarios, { workingDirectory, ...root }).finally(release);
  if (built === undefined) return exitCodes.invalid;
  const { graph, results } = built;
  if (results.scenarios.length === 0) terminal.note(`there is no *.scenario.yaml in ${scenarios.join(", ")}`);
  if (results.failed > 0)
    terminal.note(
      `${formatAmount(results.failed, "scenario")} failed, and the drawing counts only what passed; 'baton test ${scenarios.join(" ")}' shows why`,
    );
  return print(graph, options, terminal);
}

/** `baton graph --run`: draws the crew of a run as it was, with what happened in it. */
export async function graphRun(name: string, options: GraphOptions, terminal: Terminal, store: Store): Promise<number> {
  const { runId } = await findRun(name, store);
  const events = await store.read(runId);
  const [started] = events;
  const fingerprint = started?.type === "run.started" ? started.data.fingerprint : undefined;
  const crew = await readCrewCopy(store, fingerprint);
  if (crew === undefined) throw new BatonError("unknown-crew", `there is no copy of the crew of run '${runId}'`);
  return print(buildRunGraph(crew, events), options, terminal);
}

/** `baton graph --plan`: draws a crew with the worst case of a run on it. */
export async function graphPlan(
  path: string,
  options: GraphOptions & { readonly model?: string },
  terminal: Terminal,
): Promise<number> {
  const crew = loadValidCrew(path, options.root, terminal);
  if (crew === undefined) return exitCodes.invalid;
  const given = options.model === undefined ? {} : { model: options.model };
  try {
    const plan = await planCrew(crew, undefined, given, { variables: terminal.variables });
    return print(overlayPlan(buildGraph(crew), plan), options, terminal);
  } catch (error) {
    if (error instanceof BatonError) return explain(error, options, terminal);
    throw error;
  }
}

/** A drawing of a crew with its plan on it. */
export function drawPlan(crew: Crew, plan: Plan, format: DrawingFormat): string {
  return drawings[format](overlayPlan(buildGraph(crew), plan));
}

function print(drawn: CrewGraph, { json, format }: GraphOptions, terminal: Terminal): number {
  terminal.print(json ? JSON.stringify(toJson(buildDrawing(drawn)), undefined, 2) : drawings[format](drawn));
  return exitCodes.completed;
}

/** Like the drawings, each crew's inside once; where it comes again, the keys of `crews` that lead to it. */
function toJson({ graph: { name, nodes, edges }, crews }: CrewDrawing): unknown {
  const subCrews = crews.map((box) => [box.name, box.type === "crew" ? toJson(box.inside) : { drawnAs: box.drawnAs }]);
  return { name, nodes, edges, crews: Object.fromEntries(subCrews) };
}
