import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MutantProject } from "./copy-project.ts";
import type { Mutant } from "./find-mutants.ts";
import type { Fate } from "./judge-mutant.ts";

/** Fates as they were found, so that a run that was interrupted continues, and the next one tries only what is new. */
export interface StoredFates {
  /** A survivor is known where no more tests of it would be run in the time. */
  find(mutant: Mutant, seconds: number): Fate | undefined;
  add(mutant: Mutant, fate: Fate): void;
}

interface StoredLine {
  readonly key: string;
  readonly fate: Fate;
  /** Of the test file that killed the mutant; of all files, where it survived. */
  readonly hash: string;
}

export function openFates(stateFolder: string, project: MutantProject): StoredFates {
  mkdirSync(stateFolder, { recursive: true });
  const path = join(stateFolder, "fates.jsonl");
  const hashFor = (fate: Fate) => (fate.type === "killed" ? project.hashOf(fate.file) : project.treeHash);
  const fates = new Map<string, Fate>();
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  for (const line of lines.filter((each) => each.endsWith("}"))) {
    const { key, fate, hash }: StoredLine = JSON.parse(line);
    if (hash === hashFor(fate)) fates.set(key, fate);
  }
  return {
    find({ key }, seconds) {
      const fate = fates.get(key);
      const isOpen = fate?.type === "survived" && fate.run < fate.reaching && fate.seconds < seconds;
      return isOpen ? undefined : fate;
    },
    add({ key }, fate) {
      fates.set(key, fate);
      const line: StoredLine = { key, fate, hash: hashFor(fate) };
      appendFileSync(path, `${JSON.stringify(line)}\n`);
    },
  };
}
