import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { isNamed } from "./is-named.ts";
import { judge } from "./judge.ts";
import { playScenario } from "./play-scenario.ts";
import { readScenario, type Scenario } from "./read-scenario.ts";

/** The outcome of one scenario. */
export interface ScenarioReport {
  readonly file: string;
  readonly name: string;
  /** Empty if it passed. */
  readonly problems: readonly string[];
  /** Oddities that do not fail it: unused replies and answers. */
  readonly notes: readonly string[];
}

/** Finds the scenario files at a path: the file itself, or all files below the folder, in order. */
export function findScenarios(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.scenario\.ya?ml$/.test(name) && !name.includes("node_modules"))
    .sort()
    .map((name) => join(path, name));
}

/** Reads, plays and judges one scenario. */
export async function runScenario(file: string, workingDirectory: string): Promise<ScenarioReport> {
  const shown = relative(workingDirectory, file);
  const read = readScenario(file, (each) => relative(workingDirectory, each));
  if ("diagnostics" in read) return { file: shown, name: shown, problems: read.diagnostics.map(describe), notes: [] };
  const { scenario } = read;
  const name = scenario.name ?? shown;
  if (scenario.expect === undefined)
    return { file: shown, name, problems: ["the scenario expects nothing"], notes: [] };
  try {
    const played = await playScenario(scenario);
    return {
      file: shown,
      name,
      problems: judge(played, scenario.expect, scenario.script),
      notes: [...played.refusals, ...listLeftovers(scenario, played.events ?? [], played.refusals.length)],
    };
  } catch (error) {
    // Whatever goes wrong with one scenario, the others are played.
    const why =
      error instanceof BatonError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    return { file: shown, name, problems: [why], notes: [] };
  }
}

/** Replies of the script and answers to pauses that the run did not use. */
function listLeftovers({ script, resume }: Scenario, events: readonly BatonEvent[], refused: number): string[] {
  const calls = (name: string) =>
    events.filter((event) => /^(model|function)\.called$/.test(event.type) && isNamed(event, name)).length;
  const replies = [...(script ?? [])].flatMap(([name, all]) => {
    const left = all.length - calls(name);
    return left > 0 ? [`${left} of ${formatAmount(all.length, "reply", "replies")} of ${name} left over`] : [];
  });
  const answers = (resume?.length ?? 0) - refused - events.filter(({ type }) => type === "run.resumed").length;
  return [
    ...replies,
    ...(answers > 0 && events.length > 0 ? [`${formatAmount(answers, "answer")} under resume left over`] : []),
  ];
}

function describe({ line, column, code, message }: Diagnostic): string {
  return `${line}:${column} ${code} ${message}`;
}
