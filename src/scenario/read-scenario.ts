import { basename, dirname } from "node:path";
import { readMap } from "../definition/agent-file.ts";
import { createProblemLog, type ProblemLog } from "../definition/problem-log.ts";
import { MAX_REPLIES_BYTES, readText } from "../definition/read-text.ts";
import type { ValueOf } from "../definition/shape.ts";
import { createSource } from "../definition/source.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { scenarioShape } from "./scenario-shape.ts";

/** A scenario as its file contains it. */
export type Scenario = ValueOf<typeof scenarioShape> & { readonly file: string };

export type ReadScenario = { readonly scenario: Scenario } | { readonly diagnostics: readonly Diagnostic[] };

/** Reads a scenario. Unknown keys are errors, because a test that is only half understood proves nothing. */
export function readScenario(file: string, shownAs: (file: string) => string): ReadScenario {
  const log = createProblemLog();
  const reporter = log.reporter(true);
  const result = readText(file, dirname(file), MAX_REPLIES_BYTES);
  if ("problem" in result) {
    reporter.report(result.problem.code, { file }, `${basename(file)} ${result.problem.message}`);
    return { diagnostics: log.diagnostics(shownAs) };
  }
  return parse(file, result.text, log, shownAs);
}

/** Reads a scenario from the text that its file has or will have. */
export function parseScenario(file: string, text: string): ReadScenario {
  return parse(file, text, createProblemLog(), basename);
}

function parse(file: string, text: string, log: ProblemLog, shownAs: (file: string) => string): ReadScenario {
  const reporter = log.reporter(true);
  const source = createSource(file, text);
  const root = readMap(source, { start: 0, end: source.text.length }, reporter);
  const keys = root === undefined ? undefined : scenarioShape.read(root, "scenario", { source, reporter });
  if (keys === undefined || reporter.hasErrors()) return { diagnostics: log.diagnostics(shownAs) };
  return { scenario: { ...keys, file } };
}
