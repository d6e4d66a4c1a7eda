import { readdirSync } from "node:fs";
import { join } from "node:path";

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

/** The files that may be part of a crew in a folder and below it, sorted; links are not followed. */
export function listFiles(folder: string): string[] {
  const files: string[] = [];
  collect(folder, 0, files);
  return files;
}

function collect(folder: string, depth: number, files: string[]): void {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (files.length >= MAX_FILES) return;
    const path = join(folder, entry.name);
    const isHidden = entry.name.startsWith(".") && !products.has(entry.name);
    if (entry.isFile()) {
      if (!isHidden && /\.(?:md|ai|ya?ml|json)$/.test(entry.name)) files.push(path);
    } else if (entry.isDirectory() && depth < MAX_DEPTH && !isHidden && !skipped.has(entry.name))
      collect(path, depth + 1, files);
  }
}
