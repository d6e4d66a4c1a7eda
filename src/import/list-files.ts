import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Reporter } from "../definition/problem-log.ts";

/** Folders that hold no agents, or very many files. */
const skipped: ReadonlySet<string> = new Set([
  "node_modules",
  "dist",
  "build",
  "vendor",
  "venv",
  "__pycache__",
  "target",
]);
/** Folders of products, which are read though their names begin with a dot. */
const products: ReadonlySet<string> = new Set([".claude", ".github", ".opencode"]);

const MAX_DEPTH = 10;
const MAX_FILES = 20_000;

/** The files that may be part of a crew in a folder and below it, sorted; links are not followed. What is left out is reported. */
export function listFiles(folder: string, reporter: Reporter): string[] {
  const files: string[] = [];
  collect(folder, 0, files, reporter);
  if (files.length < MAX_FILES) return files;
  const message = `there are more than ${MAX_FILES} files below ${folder}, and the others are left out: import a folder of them`;
  reporter.report("too-large", { file: folder }, message);
  return files;
}

function collect(folder: string, depth: number, files: string[], reporter: Reporter): void {
  for (const entry of readFolder(folder, reporter)) {
    if (files.length >= MAX_FILES) return;
    const path = join(folder, entry.name);
    const isHidden = entry.name.startsWith(".") && !products.has(entry.name);
    if (entry.isFile()) {
      if (!isHidden && /\.(?:md|ai|ya?ml|json)$/.test(entry.name)) files.push(path);
    } else if (entry.isDirectory() && depth < MAX_DEPTH && !isHidden && !skipped.has(entry.name))
      collect(path, depth + 1, files, reporter);
  }
}

function readFolder(folder: string, reporter: Reporter): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    reporter.report("unreadable", { file: folder }, `the folder ${folder} cannot be read: ${why}`);
    return [];
  }
}
