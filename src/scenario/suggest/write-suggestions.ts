import { writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { BatonError } from "../../vocabulary/errors.ts";
import { type ShownBy, sumCoverage } from "../coverage.ts";
import { playScenarios, type RunScenariosOptions } from "../play-scenarios.ts";
import { type LackingCrew, type Suggestion, suggestScenarios } from "./suggest-scenarios.ts";

/** What was written for one crew. */
export interface WrittenSuggestions {
  readonly crew: string;
  readonly scenarios: readonly Suggestion[];
  /** Items that no way was found to. */
  readonly unreached: readonly string[];
  /** Why nothing could be written. */
  readonly problem?: string;
}

/** Plays the scenarios at some paths, and writes new ones beside them for what they do not show of their crews. */
export async function writeSuggestions(
  paths: readonly string[],
  options: RunScenariosOptions,
): Promise<WrittenSuggestions[]> {
  const { workingDirectory = process.cwd() } = options;
  const { shown } = await playScenarios(paths, { ...options, coverage: true });
  const written: WrittenSuggestions[] = [];
  for (const { crew, missing, path, folder } of listLacking(shown, workingDirectory)) {
    if (path === undefined) {
      const problem = "the crew is written in a scenario; give it a folder of its own";
      written.push({ crew, scenarios: [], unreached: missing, problem });
      continue;
    }
    const { scenarios, unreached } = await suggestScenarios({ path, folder, missing });
    for (const { file, text } of scenarios) write(file, text);
    written.push({ crew, scenarios, unreached });
  }
  return written;
}

type Lacking = Omit<LackingCrew, "path"> & { readonly crew: string; readonly path: string | undefined };

/** The crews of which something is missing, in the order in which coverage has them. */
function listLacking(shown: readonly ShownBy[], workingDirectory: string): Lacking[] {
  const all = shown.flatMap(({ file, crews }) =>
    crews.map((each) => ({ ...each, folder: dirname(resolve(workingDirectory, file)) })),
  );
  const firsts = [...Map.groupBy(all, ({ id }) => id).values()].map(([first]) => first);
  return sumCoverage(shown).flatMap(({ crew, items }, index) => {
    const missing = items.filter(({ by }) => by.length === 0).map(({ name }) => name);
    const first = firsts[index];
    if (missing.length === 0 || first === undefined) return [];
    return [{ crew, missing, path: first.path, folder: first.folder }];
  });
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BatonError("not-written", `the scenario cannot be written to ${file}: ${why}`, { cause });
  }
}
