import { relative } from "node:path";
import { type CrewCoverage, sumCoverage } from "../scenario/coverage.ts";
import {
  type PlayedScenarios,
  playScenarios,
  type RunScenariosOptions,
  type ScenarioReport,
  type ScenarioResults,
} from "../scenario/play-scenarios.ts";
import { writeSuggestions } from "../scenario/suggest/write-suggestions.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { formatHtml } from "./test/coverage-html.ts";
import { formatLcov } from "./test/coverage-lcov.ts";
import { describeCoverage, explainSigns } from "./test/coverage-text.ts";
import { formatJunit } from "./test/junit-report.ts";
import { ProgressLine } from "./test/progress-line.ts";
import { formatTap } from "./test/tap-report.ts";
import { describeReport, formatCount, formatGithub } from "./test/text-report.ts";
import { updateScenarios } from "./test/update-scenarios.ts";

export interface TestOptions {
  readonly filter?: string;
  readonly json?: boolean;
  readonly format: "text" | "json" | "junit" | "tap" | "github" | "lcov" | "html";
  readonly bail?: boolean;
  readonly quiet?: boolean;
  readonly jobs?: number;
  readonly coverage?: boolean;
  readonly minCoverage?: number;
  readonly suggest?: boolean;
  readonly update?: boolean;
  readonly watch?: boolean;
}

/** `baton test`: plays scenarios and prints what they expected and did not get; 1 if one failed or too little is covered. */
export async function test(paths: readonly string[], options: TestOptions, terminal: Terminal): Promise<number> {
  const format = options.json ? "json" : options.format;
  const withCoverage = options.coverage === true || options.minCoverage !== undefined || options.suggest === true;
  const written = options.suggest ? await suggest(paths, options, terminal) : [];
  const results = await play([...paths, ...written], options, withCoverage, terminal);
  const shown = options.quiet ? { ...results, scenarios: results.scenarios.filter(hasFailed) } : results;
  const { coverage } = results;
  if (coverage === undefined) printOutcomes(shown, format, terminal);
  else printCoverage(shown, coverage, format, terminal);
  if (results.scenarios.length === 0) terminal.note(`error: ${explainAbsence(results, paths, options)}`);
  const isCovered = hasEnough(coverage ?? [], options.minCoverage, terminal);
  if (format === "text" || format === "github") terminal.print(formatCount(results));
  return results.failed === 0 && results.scenarios.length > 0 && isCovered ? exitCodes.completed : exitCodes.failed;
}

/** Writes scenarios for what is missing, and says which; their files. */
async function suggest(paths: readonly string[], { filter, jobs }: TestOptions, terminal: Terminal): Promise<string[]> {
  const { workingDirectory } = terminal;
  const release = terminal.divertTools();
  const options = { workingDirectory, ...(filter !== undefined && { filter }), ...(jobs !== undefined && { jobs }) };
  const all = await writeSuggestions(paths, options).finally(release);
  for (const { crew, scenarios, unreached, problem } of all) {
    for (const { file, item } of scenarios)
      terminal.note(`wrote ${relative(workingDirectory, file)}, which shows: ${item}`);
    const why = problem ?? "write these scenarios yourself, or see whether a run can get there at all";
    if (unreached.length > 0) terminal.note(`no scenario found for crew '${crew}': ${unreached.join(", ")} (${why})`);
  }
  return all.flatMap(({ scenarios }) => scenarios.map(({ file }) => file));
}

async function play(
  paths: readonly string[],
  { filter, bail, jobs, update = false }: TestOptions,
  coverage: boolean,
  terminal: Terminal,
): Promise<ScenarioResults> {
  const options: RunScenariosOptions = {
    workingDirectory: terminal.workingDirectory,
    coverage,
    ...(filter !== undefined && { filter }),
    ...(bail !== undefined && { bail }),
    ...(jobs !== undefined && { jobs }),
  };
  const first = await playAll(paths, options, terminal);
  if (!update || (await updateScenarios(first, terminal)) === 0) return describeResults(first, coverage);
  return describeResults(await playAll(paths, options, terminal), coverage);
}

function describeResults({ results, shown }: PlayedScenarios, coverage: boolean): ScenarioResults {
  return coverage ? { ...results, coverage: sumCoverage(shown) } : results;
}

async function playAll(
  paths: readonly string[],
  options: RunScenariosOptions,
  terminal: Terminal,
): Promise<PlayedScenarios> {
  const progress = new ProgressLine(terminal.screen);
  // Agents' functions are called in scenarios too.
  const release = terminal.divertTools();
  try {
    return await playScenarios(paths, {
      ...options,
      onReport: (report, done, of) => progress.show(report, done, of),
    });
  } finally {
    progress.clear();
    release();
  }
}

function hasFailed({ problems }: ScenarioReport): boolean {
  return problems.length > 0;
}

function printOutcomes(results: ScenarioResults, format: TestOptions["format"], terminal: Terminal): void {
  const { passed, failed, scenarios, notPlayed } = results;
  if (format === "json") terminal.print(JSON.stringify({ passed, failed, scenarios }, undefined, 2));
  else if (format === "junit") terminal.print(formatJunit(results));
  else if (format === "tap") terminal.print(formatTap(results));
  else if (format === "github") for (const line of formatGithub(results)) terminal.print(line);
  else for (const report of scenarios) terminal.print(describeReport(report, terminal.style));
  if (notPlayed > 0) terminal.note(`stopped at the first failure; ${formatAmount(notPlayed, "scenario")} not played`);
}

/** Where coverage is the output, failures are told besides; where the outcomes are, coverage is. */
function printCoverage(
  results: ScenarioResults,
  coverage: readonly CrewCoverage[],
  format: TestOptions["format"],
  terminal: Terminal,
): void {
  const drawn = drawCoverage(coverage, format, terminal.workingDirectory);
  if (drawn === undefined) {
    printOutcomes(results, format, terminal);
    const show = format === "text" ? terminal.print : terminal.note;
    for (const each of coverage) show(`\n${describeCoverage(each, terminal.style)}`);
    const signs = explainSigns(coverage);
    if (format === "text") terminal.print(["", ...signs, ...(signs.length === 0 ? [] : [""])].join("\n"));
    return;
  }
  terminal.print(drawn);
  for (const report of results.scenarios.filter(hasFailed)) terminal.note(describeReport(report, terminal.style));
  if (results.failed > 0) terminal.note(formatCount(results));
}

/** Coverage in a format that holds nothing else; undefined for formats that tell outcomes. */
function drawCoverage(
  coverage: readonly CrewCoverage[],
  format: TestOptions["format"],
  workingDirectory: string,
): string | undefined {
  if (format === "json") return JSON.stringify(coverage, undefined, 2);
  if (format === "lcov") return formatLcov(coverage, workingDirectory);
  return format === "html" ? formatHtml(coverage) : undefined;
}

function hasEnough(coverage: readonly CrewCoverage[], minimum: number | undefined, terminal: Terminal): boolean {
  const lacking = coverage.filter(({ percent }) => minimum !== undefined && percent < minimum);
  for (const { crew, percent } of lacking)
    terminal.note(
      `error: the scenarios cover ${percent} % of crew '${crew}', and --min-coverage asks for ${minimum} %`,
    );
  return lacking.length === 0;
}

function explainAbsence({ filtered }: ScenarioResults, paths: readonly string[], { filter = "" }: TestOptions): string {
  if (filtered === 0) return `there is no *.scenario.yaml in ${paths.join(", ")}`;
  return `'${filter}' is in no name or file of ${formatAmount(filtered, "scenario")}`;
}
