import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { diagnose } from "../src/diagnosis/diagnose.ts";
import type { Finding } from "../src/diagnosis/finding.ts";
import { playScenario } from "../src/scenario/play-scenario.ts";
import { findScenarios } from "../src/scenario/play-scenarios.ts";
import { readScenario } from "../src/scenario/read-scenario.ts";

/** A run with failures that were planted in it, and what the diagnosis found. */
export interface DiagnosedPlant {
  /** `ping-pong/twice-round`. */
  readonly name: string;
  readonly isHeldOut: boolean;
  readonly planted: ReadonlySet<string>;
  readonly found: ReadonlySet<string>;
}

/** How often what is found is there, and what is there is found. */
export interface Score {
  readonly planted: number;
  readonly precision: number;
  readonly recall: number;
}

const root = fileURLToPath(new URL("..", import.meta.url));

/** Plays the runs in `test/diagnosis`, each of which says in its first line what is wrong with it, and diagnoses them. */
export async function diagnosePlants(): Promise<DiagnosedPlant[]> {
  const plants: DiagnosedPlant[] = [];
  for (const file of findScenarios(join(root, "test/diagnosis"))) {
    const line = /^# findings: (.*)/.exec(readFileSync(file, "utf8"))?.[1];
    if (line === undefined) throw new Error(`${file} does not say what is planted in it`);
    const folder = basename(dirname(file));
    plants.push({
      name: `${folder}/${basename(file, ".scenario.yaml")}`,
      isHeldOut: folder === "held-out",
      planted: new Set(line === "none" ? [] : line.split(", ")),
      found: new Set((await findingsOf(file)).map(({ code }) => code)),
    });
  }
  return plants;
}

/** What the diagnosis says of a scenario's run; undefined where there is none. */
export async function findingsOf(file: string): Promise<readonly Finding[]> {
  const read = readScenario(file, (each) => each);
  if ("diagnostics" in read) throw new Error(`${file}: ${read.diagnostics[0]?.message}`);
  const { events, crew } = await playScenario(read.scenario);
  return events === undefined ? [] : diagnose(events, crew).findings;
}

/** Over all codes, or for one. */
export function scoreOf(plants: readonly DiagnosedPlant[], code?: string): Score {
  const only = (codes: ReadonlySet<string>) => [...codes].filter((each) => code === undefined || each === code);
  let [right, planted, found] = [0, 0, 0];
  for (const plant of plants) {
    planted += only(plant.planted).length;
    found += only(plant.found).length;
    right += only(plant.found).filter((each) => plant.planted.has(each)).length;
  }
  return { planted, precision: found === 0 ? 1 : right / found, recall: planted === 0 ? 1 : right / planted };
}
