import { readdirSync } from "node:fs";
import { join } from "node:path";
import { findCrewFile } from "../definition/find-crew.ts";

/** Crews lie in a folder of a project, or in a folder of such folders. */
const DEEPEST = 3;
const MOST = 50;

/** The crew of a folder, or else the crews in the folders below it. A crew within a crew belongs to that one. */
export function findCrewPaths(folder: string): readonly string[] {
  if (findCrewFile(folder) !== undefined) return ["."];
  const found = listCrewsBelow("", folder, DEEPEST).slice(0, MOST);
  return found.length === 0 ? ["."] : found;
}

function listCrewsBelow(path: string, folder: string, levels: number): string[] {
  if (path !== "" && findCrewFile(join(folder, path)) !== undefined) return [path];
  if (levels === 0) return [];
  return readdirSync(join(folder, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
    .map(({ name }) => join(path, name))
    .sort()
    .flatMap((below) => listCrewsBelow(below, folder, levels - 1));
}
