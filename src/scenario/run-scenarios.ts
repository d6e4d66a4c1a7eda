import type { CrewCoverage } from "./coverage.ts";
import type { RunScenariosOptions, ScenarioResults } from "./play-scenarios.ts";

/**
 * Plays the scenarios at some paths offline, and judges them. It never rejects because of a scenario: what is wrong with one, or with its crew, is
 * one of its problems.
 */
export async function runScenarios(
  paths: readonly string[],
  options: RunScenariosOptions = {},
): Promise<ScenarioResults> {
  const [{ playScenarios }, { sumCoverage }] = await Promise.all([
    import("./play-scenarios.ts"),
    import("./coverage.ts"),
  ]);
  const { results, shown } = await playScenarios(paths, options);
  return { ...results, ...(options.coverage && { coverage: sumCoverage(shown) }) };
}

/**
 * Plays the scenarios at some paths, and tells what those that pass show of all that their crews can do. It never rejects because of a
 * scenario: one that fails shows nothing.
 */
export async function coverageOf(
  paths: readonly string[],
  options: Omit<RunScenariosOptions, "coverage"> = {},
): Promise<readonly CrewCoverage[]> {
  return (await runScenarios(paths, { ...options, coverage: true })).coverage ?? [];
}
