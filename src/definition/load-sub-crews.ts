import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Crew, SubCrew } from "../vocabulary/crew.ts";
import { buildQuotas } from "./build-quotas.ts";
import type { CrewFile } from "./crew-files.ts";
import { findCrewFile } from "./find-crew.ts";
import type { Loading } from "./loading.ts";
import { placeOfValue } from "./locate.ts";
import { resolveInside } from "./read-text.ts";

/** Far beyond what a run allows (max_crew_depth), and what loading can bear. */
const MAX_NESTING = 100;

/** Loads and checks the crews that a crew may call. `loadCrew` is what loads the caller too. */
export function loadSubCrews(
  parent: CrewFile,
  loading: Loading,
  loadCrew: (file: string, loading: Loading) => Crew | undefined,
): Map<string, SubCrew> {
  const subCrews = new Map<string, SubCrew>();
  for (const [name, keys] of parent.keys.sub_crews) {
    if (keys.config_path === undefined) continue;
    const file = findSubCrew(name, keys.config_path, parent, loading);
    if (file === undefined) continue;
    if (!loading.loaded.has(file)) loading.loaded.set(file, loadCrew(file, loading));
    const crew = loading.loaded.get(file);
    if (crew === undefined) continue;
    subCrews.set(name, {
      crew,
      description: keys.description,
      sharedMemory: keys.shared_memory?.keys ?? new Map(),
      quotas: buildQuotas(keys.quotas),
    });
  }
  return subCrews;
}

/** The crew file that a `config_path` leads to; undefined after reporting why there is none to load. */
function findSubCrew(name: string, configPath: string, parent: CrewFile, loading: Loading): string | undefined {
  const place = placeOfValue(parent, ["sub_crews", name, "config_path"]);
  const path = resolveConfigPath(configPath, parent.folder);
  const inside = resolveInside(path, loading.root);
  if ("problem" in inside) {
    parent.reporter.report(inside.problem.code, place, `sub-crew '${name}': '${configPath}' ${inside.problem.message}`);
    return undefined;
  }
  const found = statSync(inside.path).isDirectory() ? findCrewFile(inside.path) : inside.path;
  if (found === undefined || !/^crew\.ya?ml$/.test(basename(found))) {
    const why = found === undefined ? "has no crew.yaml" : "is not a crew.yaml";
    parent.reporter.report("not-found", place, `sub-crew '${name}': '${configPath}' ${why}`);
    return undefined;
  }
  const file = realpathSync.native(found);
  if (loading.ancestors.length > MAX_NESTING) {
    parent.reporter.report("too-large", place, `crews are nested more than ${MAX_NESTING} deep`);
    return undefined;
  }
  const start = loading.ancestors.findIndex((ancestor) => ancestor.file === file);
  if (start !== -1) {
    const path = [...loading.ancestors.slice(start), loading.ancestors[start]].map((ancestor) => ancestor?.name);
    parent.reporter.report("reference-cycle", place, `crews call each other in a circle: ${path.join(" -> ")}`);
    return undefined;
  }
  return file;
}

/** Relative to the crew's folder, or to its parent where the folder is called `config` and nothing is there. */
function resolveConfigPath(configPath: string, folder: string): string {
  const beside = resolve(folder, configPath);
  return existsSync(beside) || basename(folder) !== "config" ? beside : resolve(dirname(folder), configPath);
}
