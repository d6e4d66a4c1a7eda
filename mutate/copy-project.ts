import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { findMutants, type Mutant } from "./find-mutants.ts";
import { instrument } from "./instrument.ts";

export const projectRoot = fileURLToPath(new URL("..", import.meta.url));
const switchFile = fileURLToPath(new URL("./mutant-switch.ts", import.meta.url));

/** A copy of the project in which every mutant waits behind the switch; its number is its place in the list. */
export interface MutantProject {
  readonly root: string;
  readonly mutants: readonly Mutant[];
  readonly testFiles: readonly string[];
  /** Of all mutants and all files but tests: where they are the same, tests reach the same mutants. */
  readonly sourcesHash: string;
  /** Of tests too: where they are the same, the same mutants survive. */
  readonly treeHash: string;
  /** Of the text of one file. */
  hashOf(file: string): string;
}

export function copyProject(root: string, folders: readonly string[]): MutantProject {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: projectRoot, encoding: "utf8" });
  const files = [...new Set(listed.split("\n"))]
    .filter((file) => file !== "" && existsSync(join(projectRoot, file)))
    .sort();
  const hashes = new Map(files.map((file) => [file, hashText(readFileSync(join(projectRoot, file), "utf8"))]));
  const mutants: Mutant[] = [];
  for (const file of files) {
    const target = join(root, file);
    mkdirSync(dirname(target), { recursive: true });
    if (!file.endsWith(".ts") || isTest(file) || !folders.some((folder) => file.startsWith(`src/${folder}/`)))
      cpSync(join(projectRoot, file), target);
    else writeFileSync(target, instrumentFile(file, readFileSync(join(projectRoot, file), "utf8"), mutants));
  }
  symlinkSync(join(projectRoot, "node_modules"), join(root, "node_modules"));
  const changes = mutants.map(({ key, replacement }) => `${key} ${replacement}`);
  const hashAll = (some: readonly string[]) =>
    hashText([...some.map((file) => `${file} ${hashes.get(file)}`), ...changes].join("\n"));
  return {
    root,
    mutants,
    testFiles: files.filter(isTest),
    sourcesHash: hashAll(files.filter((file) => isCode(file) && !isTest(file))),
    treeHash: hashAll(files.filter(isCode)),
    hashOf: (file) => hashes.get(file) ?? "",
  };
}

/** Adds the mutants of the file to those of the files before it. */
function instrumentFile(file: string, text: string, mutants: Mutant[]): string {
  const own = findMutants(file, text);
  const first = mutants.length;
  mutants.push(...own);
  const switchPath = relative(dirname(file), relative(projectRoot, switchFile));
  return instrument(text, own, (mutant) => first + own.indexOf(mutant), switchPath);
}

function isTest(file: string): boolean {
  return /^(src|test)\/.*\.test\.ts$/.test(file);
}

/** What tests load and run. What finds mutants shows in the mutants that it finds. */
function isCode(file: string): boolean {
  return /^(src|test|examples|bench|corpora|fuzz|proof|bin)\//.test(file);
}

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
