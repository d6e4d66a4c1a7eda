import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashText, type MutantProject } from "./copy-project.ts";
import type { LaneResult } from "./lane.ts";
import type { Lane } from "./start-lane.ts";

/** What a test file does without a mutant. */
export interface MeasuredTests {
  readonly file: string;
  /** Its name for itself, where it fails even so: then it can tell nothing about mutants. */
  readonly failed?: string;
  readonly ms: number;
  readonly tests: LaneResult["tests"];
  /** The mutants that each test reaches; those of `""` are reached while the file is loaded, or for all its tests. */
  readonly reached: Readonly<Record<string, readonly number[]>>;
}

const LIMIT_MS = 600_000;

/** Runs a test file once, unless it was run before with the same sources. */
export async function measureTests(
  file: string,
  project: MutantProject,
  lane: Lane,
  stateFolder: string,
): Promise<MeasuredTests> {
  const folder = join(stateFolder, "tests");
  mkdirSync(folder, { recursive: true });
  const kept = join(folder, `${hashText(`${project.sourcesHash} ${file} ${project.hashOf(file)}`)}.json`);
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, "utf8"));
  const first = await measureOnce(file, project, lane);
  // Once more, since a test may have failed because the machine was busy.
  const measured = first.failed === undefined ? first : await measureOnce(file, project, lane);
  if (measured.failed === undefined) writeFileSync(kept, JSON.stringify(measured));
  return measured;
}

async function measureOnce(file: string, { root }: MutantProject, lane: Lane): Promise<MeasuredTests> {
  const record = join(root, `${hashText(file)}.reached`);
  writeFileSync(record, "");
  // Processes of other users record in it, too.
  chmodSync(record, 0o666);
  const result = await lane.run({ file, record }, LIMIT_MS);
  const reached = readReached(readFileSync(record, "utf8"));
  rmSync(record);
  if (result === undefined) return { file, failed: `${file}: not done in time`, ms: LIMIT_MS, tests: [], reached };
  const { ms, tests, failed } = result;
  return { file, ms, tests, reached, ...(failed !== undefined && { failed: failed.name }) };
}

function readReached(lines: string): MeasuredTests["reached"] {
  const reached: Record<string, number[]> = {};
  for (const line of lines.split("\n")) {
    const [test = "", mutant = ""] = line.split("\t");
    if (mutant === "") continue;
    const mutants = reached[test] ?? [];
    mutants.push(Number(mutant));
    reached[test] = mutants;
  }
  return reached;
}
