import { statSync } from "node:fs";
import type { ToolModule } from "../vocabulary/crew.ts";
import { type FileProblem, resolveInside } from "./read-text.ts";

/** `./tools.ts#lookup`; without `#…` the export has the tool's name. */
export function splitToolReference(reference: string, name: string): ToolModule {
  const hash = reference.lastIndexOf("#");
  return hash === -1
    ? { file: reference, exportName: name }
    : { file: reference.slice(0, hash), exportName: reference.slice(hash + 1) };
}

/** Why a module cannot be imported from this path; undefined if a file of the project is there. */
export function findModuleProblem(path: string, root: string): FileProblem | undefined {
  const found = resolveInside(path, root);
  if ("problem" in found) return found.problem;
  return statSync(found.path).isFile() ? undefined : { code: "unreadable", message: "is not a file" };
}

export const noModule: FileProblem = { code: "not-found", message: "names no file: write ./module.ts#export" };
