import { dirname, resolve } from "node:path";
import { findSetPath } from "../../vocabulary/tool-set.ts";
import { listToolSetKeys } from "../build-tool-sets.ts";
import type { CrewParts } from "../crew-parts.ts";
import { listOperations } from "../list-operations.ts";
import { findFolderProblem } from "../read-text.ts";
import { keysOfKinds, type ToolSetKeys, toolSetShape } from "../tool-set-shape.ts";

/** Sets of tools: one kind each, with keys of that kind, folders and files that are there, and names that are nobody else's. */
export function checkToolSets(parts: CrewParts): void {
  const { crewFile, placeOfKey, servers } = parts;
  const { reporter } = crewFile;
  for (const [name, keys] of listToolSetKeys(crewFile)) {
    const kind = keys.openapi === undefined ? keys.builtin : "openapi";
    const place = placeOfKey(["tools", name]);
    if (kind === undefined || (keys.openapi !== undefined && keys.builtin !== undefined)) {
      const message = `tools '${name}' need either 'builtin' (files, shell, web or todo) or 'openapi'`;
      reporter.report("missing-field", place, message);
      continue;
    }
    if (servers.has(name))
      reporter.report("duplicate-id", place, `an MCP server is called '${name}', too: rename one of them`);
    const missing = findMissing(kind, keys);
    if (missing !== undefined) reporter.report("missing-field", place, `tools '${name}' ${missing}`);
    checkKeys(name, kind, keys, parts);
    if (kind === "openapi") checkOperations(name, keys, parts);
    else checkFolder(name, keys, parts);
  }
  checkAllowed(parts);
}

function checkKeys(name: string, kind: keyof typeof keysOfKinds, keys: ToolSetKeys, parts: CrewParts): void {
  for (const key of Object.keys(toolSetShape.absent)) {
    if (!isGiven(keys, key) || keysOfKinds[kind].has(key)) continue;
    const message = `'${key}' has no effect: tools '${name}' are ${kind}`;
    parts.crewFile.reporter.report("no-effect", parts.placeOfKey(["tools", name, key]), message);
  }
}

function checkFolder(name: string, { root: folder }: ToolSetKeys, { crewFile, placeOf, root }: CrewParts): void {
  if (folder === undefined) return;
  const problem = findFolderProblem(resolve(dirname(crewFile.file), folder), root);
  const message = `tools '${name}': the folder '${folder}' ${problem?.message}`;
  if (problem !== undefined) crewFile.reporter.report(problem.code, placeOf(["tools", name, "root"]), message);
}

function isGiven(keys: ToolSetKeys, key: string): boolean {
  const value: unknown = Reflect.get(keys, key);
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function findMissing(kind: string, { programs = [], shell, allow = [] }: ToolSetKeys): string | undefined {
  if (kind === "shell" && programs.length === 0 && shell !== true)
    return "may run nothing: list 'programs', such as [git], or set 'shell: true'";
  return kind === "web" && allow.length === 0 ? "may fetch nothing: list hosts under 'allow'" : undefined;
}

function checkOperations(name: string, { openapi = "", only }: ToolSetKeys, parts: CrewParts): void {
  const { crewFile, placeOf, root } = parts;
  const { reporter } = crewFile;
  const found = listOperations(resolve(dirname(crewFile.file), openapi), root);
  if ("problem" in found) {
    const { code, message } = found.problem;
    reporter.report(code, placeOf(["tools", name, "openapi"]), `tools '${name}': '${openapi}' ${message}`);
    return;
  }
  const known = new Set(found.operations);
  for (const [index, each] of only.entries()) {
    if (known.has(each)) continue;
    const message = `tools '${name}': ${openapi} has no operation '${each}'`;
    reporter.report("unknown-tool", placeOf(["tools", name, "only", index]), message, { name: each, among: known });
  }
}

/** Folders that the caller allows are in the project, too. */
function checkAllowed({ crewFile, toolSets, root }: CrewParts): void {
  const own = new Set(listToolSetKeys(crewFile).map(([name]) => name));
  for (const [name, set] of toolSets) {
    const path = findSetPath(set);
    const problem = own.has(name) || path === undefined ? undefined : findFolderProblem(path, root);
    if (problem !== undefined)
      crewFile.reporter.report(
        problem.code,
        { file: path ?? "" },
        `the allowed folder of tools '${name}' ${problem.message}`,
      );
  }
}
