import { locateDefinition } from "../definition/load-definition.ts";
import { addCoverage } from "../flow/coverage/coverage-graph.ts";
import { listCoverageItems } from "../flow/coverage/list-coverage-items.ts";
import { buildGraph, type CrewGraph } from "../flow/crew-graph.ts";
import { type CrewCoverage, sumCoverage } from "./coverage.ts";
import { playScenarios, type RunScenariosOptions, type ScenarioResults } from "./play-scenarios.ts";

/** The graph of the crew at a path with what scenarios show of it; undefined if the crew does not load. */
export async function buildCoverageGraph(
  path: string,
  scenarios: readonly string[],
  options: RunScenariosOptions & { readonly workingDirectory: string; readonly root?: string },
): Promise<
  | { readonly graph: CrewGraph; readonly results: ScenarioResults; readonly coverage: readonly CrewCoverage[] }
  | undefined
> {
  const { workingDirectory, root } = options;
  const reading = { workingDirectory, stubTools: true, ...(root !== undefined && { root }) };
  const { crew, fileOf, isSet } = locateDefinition(path, reading);
  if (crew === undefined) return undefined;
  const { results, shown } = await playScenarios(scenarios, { ...options, coverage: true });
  const filled = shown.filter(({ isUnfilled }) => !isUnfilled).flatMap(({ crews }) => crews);
  const graph = addCoverage(buildGraph(crew), crew, (each) => ({
    items: listCoverageItems(each, (at) => isSet(each, at)),
    covered: new Set(filled.filter(({ id }) => id === fileOf(each)).flatMap((one) => [...one.shown])),
  }));
  return { graph, results, coverage: sumCoverage(shown) };
}
