import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { resolveInside } from "../definition/read-text.ts";
import type { ImportedCrew } from "./import-sources.ts";

/** How a file of an import compares with what is in its place. */
type FileState = "new" | "unchanged" | "differs";

export interface PlacedFile {
  readonly path: string;
  readonly state: FileState;
  /** The first line in which what is there differs from what the import gives. */
  readonly line?: number;
}

/** What placing a crew does, or would do. */
export interface Placement {
  readonly files: readonly PlacedFile[];
  /** Why nothing may be written into the folder at all. */
  readonly refusal?: string;
}

/** Compares an import with what is in its folder, and writes nothing. */
export function comparePlaces({ folder, files }: ImportedCrew): Placement {
  const refusal = findRefusal(folder, files);
  if (refusal !== undefined) return { files: [], refusal };
  const compared = files.map(({ path, text }): PlacedFile => {
    const file = join(folder, path);
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return { path, state: "new" };
    const there = readThere(file);
    if (there === text) return { path, state: "unchanged" };
    return { path, state: "differs", line: findDifference(there ?? "", text) };
  });
  return { files: compared };
}

/** Writes the files that are not there yet. What is there stays as it is. */
export function placeCrew(crew: ImportedCrew): Placement {
  const placement = comparePlaces(crew);
  if (placement.refusal !== undefined) return placement;
  const missing = new Set(placement.files.flatMap(({ path, state }) => (state === "new" ? path : [])));
  for (const { path, text } of crew.files) {
    if (!missing.has(path)) continue;
    const file = join(crew.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    // "wx" fails where somebody was quicker.
    writeFileSync(file, text, { flag: "wx" });
  }
  return placement;
}

/** A folder with a crew that no import wrote is somebody's own. */
function findRefusal(folder: string, files: ImportedCrew["files"]): string | undefined {
  const status = lstatSync(folder, { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  if (!existsSync(folder) || !(status.isDirectory() || status.isSymbolicLink())) return `${folder} is not a folder`;
  const hasCrew = ["crew.yaml", "crew.yml", "config/crew.yaml", "config/crew.yml"].some((name) =>
    existsSync(join(folder, name)),
  );
  if (hasCrew && !existsSync(join(folder, "IMPORT.md")))
    return `${folder} holds a crew that no import wrote; give another folder with --to`;
  const outside = files.find(({ path }) => leadsOutside(dirname(join(folder, path)), folder));
  return (
    outside &&
    `${join(folder, outside.path)} is outside of ${folder}, where a link leads; give another folder with --to`
  );
}

function leadsOutside(parent: string, folder: string): boolean {
  return existsSync(parent) && "problem" in resolveInside(parent, folder);
}

function readThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // A folder in the place of a file, or one that may not be read: it differs, whatever it holds.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function findDifference(there: string, text: string): number {
  const [lines, wanted] = [there.split("\n"), text.split("\n")];
  const at = wanted.findIndex((line, index) => line !== lines[index]);
  return (at === -1 ? wanted.length : at) + 1;
}
