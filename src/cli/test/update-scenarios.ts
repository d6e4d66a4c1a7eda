import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { PlayedScenarios, ScenarioOutcome } from "../../scenario/play-scenarios.ts";
import {
  describeOutcome,
  type ExpectationChange,
  findChanges,
  updateExpectation,
} from "../../scenario/update-expectation.ts";
import { BatonError } from "../../vocabulary/errors.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import { askLine } from "../question.ts";
import type { Terminal } from "../terminal.ts";

/**
 * Writes what happened into scenarios that expect nothing, and asks before it changes what a scenario expects. Returns how many
 * files were written. Without a terminal nobody can be asked, so nothing that is written is changed.
 */
export async function updateScenarios({ outcomes }: PlayedScenarios, terminal: Terminal): Promise<number> {
  let [written, refused] = [0, 0];
  for (const outcome of outcomes) {
    const { scenario, played, report } = outcome;
    if (scenario === undefined || played === undefined) continue;
    const isNew = Object.values(scenario.expect ?? {}).every((value) => value === undefined);
    if (isNew) {
      write(report.file, describeOutcome(played), terminal);
      written++;
      continue;
    }
    if (report.problems.length === 0) continue;
    const { changes, others } = findChanges(report.problems, played);
    for (const problem of others) terminal.note(`${report.file}: change this yourself: ${problem}`);
    if (changes.length === 0) continue;
    if (!terminal.isInteractive) refused++;
    else if (await isWanted(outcome, terminal)) {
      write(report.file, changes, terminal);
      written++;
    }
  }
  if (refused > 0)
    terminal.note(
      `error: ${formatAmount(refused, "scenario")} expected something else, and --update changes that only after asking: run it on a terminal`,
    );
  return written;
}

async function isWanted({ report }: ScenarioOutcome, { note, style }: Terminal): Promise<boolean> {
  note(`${style("bold", report.name)}  ${style("dim", report.file)}`);
  for (const problem of report.problems)
    for (const line of problem.split("\n")) {
      const expected = /^ {4}expected/.test(line);
      note(expected ? style("red", `-${line}`) : /^ {4}got/.test(line) ? style("green", `+${line}`) : ` ${line}`);
    }
  note("Write what it got into the scenario? [y/N]");
  return /^y(es)?$/i.test((await askLine(process.stderr))?.trim() ?? "");
}

function write(shown: string, changes: readonly ExpectationChange[], { workingDirectory, note }: Terminal): void {
  const file = resolve(workingDirectory, shown);
  const text = readFileSync(file, "utf8");
  const updated = updateExpectation(text, changes);
  try {
    writeFileSync(file, updated);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BatonError("not-written", `the scenario cannot be written to ${file}: ${why}`, { cause });
  }
  note(`wrote ${changes.map(({ keys }) => keys.join(".")).join(", ")} into ${shown}`);
}
