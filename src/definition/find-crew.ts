import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { nearestName } from "../vocabulary/nearest-name.ts";
import { isAgentFileName } from "./agent-file.ts";
import { isInside } from "./read-text.ts";

/** What a path turned out to be. */
export type Found =
  | { readonly type: "crew"; readonly file: string }
  | { readonly type: "agent"; readonly file: string }
  | { readonly type: "folder"; readonly files: readonly string[] }
  | { readonly type: "nothing"; readonly reason: string };

/** A folder with a crew, a crew's file, one agent file, or a folder of agent files. */
export function findCrew(path: string): Found {
  if (!existsSync(path)) return { type: "nothing", reason: `${path} does not exist${nearbyHint(path)}` };
  if (!statSync(path).isDirectory()) return found(path);
  const crewFile = findCrewFile(path);
  if (crewFile !== undefined) return { type: "crew", file: crewFile };
  const files = listAgentFiles(findProductFolder(path) ?? path);
  if (files.length > 0) return { type: "folder", files };
  const reason = `${path} has no crew.yaml, no config/crew.yaml and no agent files`;
  const below = crewsBelow(path);
  return { type: "nothing", reason: below.length === 0 ? reason : `${reason}; there are crews in ${below.join(", ")}` };
}

/** What is beside a path that does not exist, where its name is near. */
function nearbyHint(path: string): string {
  const folder = dirname(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return "";
  const nearest = nearestName(basename(path), readdirSync(folder));
  return nearest === undefined ? "" : `; did you mean '${nearest}'?`;
}

/** As many as say enough, in the folders of a folder. */
function crewsBelow(folder: string): string[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const crews = names.map(({ name }) => name).filter((name) => findCrewFile(join(folder, name)) !== undefined);
  return crews.sort().slice(0, 5);
}

/** The crew file of a folder: `crew.yaml` or `config/crew.yaml`, also with `.yml`. */
export function findCrewFile(folder: string): string | undefined {
  const names = ["crew.yaml", "crew.yml", "config/crew.yaml", "config/crew.yml"];
  return names.map((name) => join(folder, name)).find((file) => existsSync(file));
}

/** The files of agents in a folder; in those of products also in the folders below. */
export function listAgentFiles(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const isNested = PRODUCT_FOLDER.test(folder);
  return readdirSync(folder, { recursive: isNested, encoding: "utf8" })
    .filter((name) => !/(?:^|\/)\./.test(name) && isAgentFileName(name))
    .sort()
    .map((name) => join(folder, name))
    .filter((file) => !isNested || statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** Where Claude Code, Copilot and opencode look for agents. */
const PRODUCT_FOLDER = /\/(?:\.claude\/agents|\.github\/agents|\.opencode\/agents?)\/?$/;

/** The folder of agents in a product's own folder: that of `.claude` is `.claude/agents`. */
function findProductFolder(path: string): string | undefined {
  if (!/\/\.(?:claude|github|opencode)\/?$/.test(path)) return undefined;
  return ["agents", "agent"].map((name) => join(path, name)).find((folder) => listAgentFiles(folder).length > 0);
}

/** The folder that no reference may leave. */
export function findProjectRoot(path: string, workingDirectory: string): string {
  const marked = findMarkedFolder(path);
  if (marked !== undefined) return marked;
  const home = findHome(resolve(path));
  return home !== workingDirectory && isInside(home, workingDirectory) ? workingDirectory : dirname(home);
}

/** What may be the project's folder: the first in which nothing that a crew refers to is missing. Where nothing marks one, it is guessed. */
export interface RootChoice {
  readonly roots: readonly string[];
  /** The crew's own folder, where the root is guessed. */
  readonly home?: string;
}

/** A crew that one stands in has its own folder for a project, unless its files refer to a sibling. */
export function chooseRoot(path: string, workingDirectory: string): RootChoice {
  const root = findProjectRoot(path, workingDirectory);
  if (findMarkedFolder(path) !== undefined) return { roots: [root] };
  const home = findHome(resolve(path));
  const isWithin = statSync(home).isDirectory() && isInside(workingDirectory, home);
  return { roots: isWithin ? [home, root] : [root], home: statSync(home).isDirectory() ? home : dirname(home) };
}

/** The nearest folder above that is marked as a project. */
export function findMarkedFolder(path: string): string | undefined {
  const start = resolve(path);
  for (let folder = statSync(start).isDirectory() ? start : dirname(start); ; folder = dirname(folder)) {
    if (["baton.yaml", "package.json", ".git"].some((mark) => existsSync(join(folder, mark)))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** The folder of a crew, whether it was given as folder or as file; an agent file stands for itself. */
function findHome(path: string): string {
  const isCrew = /^crew\.ya?ml$/.test(basename(path)) || /(^|\/)config\/[^/]+\.ya?ml$/.test(path);
  const folder = isCrew ? dirname(path) : path;
  return basename(folder) === "config" && folder !== path ? dirname(folder) : folder;
}

function found(file: string): Found {
  if (/^crew\.ya?ml$/.test(basename(file))) return { type: "crew", file };
  if (isAgentFileName(file)) return { type: "agent", file };
  return {
    type: "nothing",
    reason: `${file} is neither a crew.yaml nor an agent file (.md, .ai, .yaml); 'baton import' reads files of other systems`,
  };
}
