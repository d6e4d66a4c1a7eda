import { resolve } from "node:path";
import { findScenarios, runScenario, type ScenarioReport } from "../scenario/run-scenarios.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface TestOptions {
  readonly filter?: string;
  readonly json?: boolean;
}

/** `baton test`: plays scenarios and prints what they expected and did not get; 1 if one failed. */
export async function test(paths: readonly string[], options: TestOptions, terminal: Terminal): Promise<number> {
  const files = paths.flatMap((path) => findScenarios(resolve(terminal.workingDirectory, path)));
  // Agents' functions are called in scenarios too.
  const release = terminal.divertTools();
  const all = await Promise.all(files.map((file) => runScenario(file, terminal.workingDirectory))).finally(release);
  const filter = options.filter?.toLowerCase() ?? "";
  const reports = all.filter(({ name, file }) => `${name} ${file}`.toLowerCase().includes(filter));
  const failed = reports.filter(({ problems }) => problems.length > 0).length;
  if (options.json)
    terminal.print(JSON.stringify({ passed: reports.length - failed, failed, scenarios: reports }, undefined, 2));
  else {
    for (const report of reports) terminal.print(describe(report, terminal));
    if (reports.length === 0) terminal.note(`error: ${explainAbsence(files, paths, options)}`);
    terminal.print(`${reports.length - failed} passed, ${failed} failed`);
  }
  return failed === 0 && reports.length > 0 ? exitCodes.completed : exitCodes.failed;
}

function explainAbsence(files: readonly string[], paths: readonly string[], { filter = "" }: TestOptions): string {
  if (files.length === 0) return `there is no *.scenario.yaml in ${paths.join(", ")}`;
  return `'${filter}' is in no name or file of ${formatAmount(files.length, "scenario")}`;
}

function describe({ file, name, problems, notes }: ScenarioReport, { style }: Terminal): string {
  const noted = notes.map((note) => `\n  ${style("dim", note)}`).join("");
  if (problems.length === 0) return `${style("green", "✓")} ${name}${noted}`;
  const told = problems.map((problem) => `\n  ${problem}`).join("");
  return `${style("red", "✗")} ${name}  ${style("dim", file)}${told}${noted}`;
}
