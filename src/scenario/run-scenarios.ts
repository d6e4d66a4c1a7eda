import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Diagnostic } from "../diagnostic.ts";
import { judge } from "./judge.ts";
import { playScenario } from "./play-scenario.ts";
import { readScenario } from "./read-scenario.ts";

/** How one scenario did. */
export interface ScenarioReport {
  readonly file: string;
  readonly name: string;
  /** Empty where it passed. */
  readonly problems: readonly string[];
}

/** The scenario files at a path: the file itself, or all below the folder, in order. */
export function findScenarios(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.scenario\.ya?ml$/.test(name) && !name.includes("node_modules"))
    .sort()
    .map((name) => join(path, name));
}

/** Reads, plays and judges one scenario. */
export async function runScenario(file: string, workingDirectory: string): Promise<ScenarioReport> {
  const shown = relative(workingDirectory, file);
  const read = readScenario(file, (each) => relative(workingDirectory, each));
  if ("diagnostics" in read) return { file: shown, name: shown, problems: read.diagnostics.map(describe) };
  const { scenario } = read;
  const name = scenario.name ?? shown;
  if (scenario.expect === undefined) return { file: shown, name, problems: ["the scenario expects nothing"] };
  return { file: shown, name, problems: judge(await playScenario(scenario), scenario.expect) };
}

function describe({ line, column, code, message }: Diagnostic): string {
  return `${line}:${column} ${code} ${message}`;
}
