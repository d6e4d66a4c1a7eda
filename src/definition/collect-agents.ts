import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type AgentFile, placeOfAgent, readAgentFile } from "./agent-file.ts";
import { agentFolders, type CrewFile, readAgentFolder } from "./crew-files.ts";
import { listAgentFiles } from "./find-crew.ts";
import { placeOfValue } from "./locate.ts";
import { type Reporter, silentReporter } from "./problem-log.ts";
import { resolveInside } from "./read-text.ts";
import { isPathReference, type Reference, referencesOf } from "./references-of.ts";
import { simplifyName } from "./resolve-collaborator.ts";

/** The agents of one crew. */
export interface AgentDirectory {
  /** Those listed, in order, then those that others refer to by path. */
  readonly files: ReadonlyMap<string, AgentFile>;
  readonly listed: readonly string[];
  /** Ids whose files are there and broken; what is wrong with them is said already. */
  readonly broken: ReadonlySet<string>;
  /** The id that a reference in `from` means. */
  resolve(reference: string, from: AgentFile): string | undefined;
  /** Where an id that is not part of the crew could be found, for a hint. */
  readonly unlisted: ReadonlyMap<string, string>;
}

/** Finds the file of each listed agent, and of the agents they refer to by path. */
export function collectListedAgents(crew: CrewFile, root: string): AgentDirectory {
  const { reporter } = crew;
  const { agents, unreadable } = readAgentFolder(agentFolders(crew), root, reporter);
  const byId = new Map<string, AgentFile>();
  for (const agent of agents) addAgent(byId, agent, reporter);
  const listed = listIds(crew);
  const broken = new Set(unreadable.map(nameOfFile));
  for (const [index, id] of (crew.keys.agents ?? []).entries()) {
    if (byId.has(id) || broken.has(id)) continue;
    const place = placeOfValue(crew, ["agents", index]);
    reporter.report("missing-agent-file", place, missingMessage(id, crew), { name: id, among: byId.keys() });
  }
  const found = listed.flatMap((id) => byId.get(id) ?? []);
  const directory = {
    ...collectReferred(found, byId, crew, root),
    listed: listed.filter((id) => byId.has(id)),
    broken,
  };
  reportUnlisted(agents, directory, reporter);
  return directory;
}

/** One agent file and those it leads to, found beside the file that names them. */
export function collectImpliedAgents(crew: CrewFile, agents: readonly AgentFile[], root: string): AgentDirectory {
  const byId = new Map<string, AgentFile>();
  for (const agent of agents) addAgent(byId, agent, crew.reporter);
  const directory = collectReferred(agents, byId, crew, root);
  return { ...directory, listed: [...directory.files.keys()], broken: new Set() };
}

function collectReferred(
  start: readonly AgentFile[],
  known: ReadonlyMap<string, AgentFile>,
  crew: CrewFile,
  root: string,
): Omit<AgentDirectory, "listed" | "broken"> {
  const files = new Map(start.map((agent) => [agent.id, agent]));
  const byPath = new Map([...known.values()].map((agent) => [resolve(agent.file), agent]));
  const neighbours = readNeighbours();
  const queue = [...files.values()];
  for (const agent of queue) {
    for (const reference of referencesOf(agent)) {
      const file = fileOf(reference, agent, files, crew, neighbours);
      if (file === undefined) continue;
      const inside = resolveInside(file, root);
      if ("problem" in inside) {
        const message = `'${reference.name}' ${inside.problem.message}`;
        crew.reporter.report(inside.problem.code, reference.place, message);
        byPath.delete(file);
        continue;
      }
      const referred = byPath.get(file) ?? readAgentFile(file, root, crew.reporter);
      if (referred === undefined) continue;
      byPath.set(file, referred);
      if (files.get(referred.id) === referred) continue;
      addAgent(files, referred, crew.reporter);
      queue.push(referred);
    }
  }
  return {
    files,
    resolve: (reference, from) => {
      const file = isPathReference(reference) ? resolve(dirname(from.file), reference) : undefined;
      const id = file === undefined ? reference : byPath.get(file)?.id;
      return id !== undefined && files.has(id) ? id : undefined;
    },
    unlisted: new Map([...known].filter(([id]) => !files.has(id)).map(([id, agent]) => [id, agent.file])),
  };
}

/** The file that a reference leads to, if it is one that has still to be looked for. */
function fileOf(
  { kind, name }: Reference,
  from: AgentFile,
  files: ReadonlyMap<string, AgentFile>,
  crew: CrewFile,
  neighbours: (folder: string) => readonly AgentFile[],
): string | undefined {
  const folder = dirname(from.file);
  if (isPathReference(name)) return resolve(folder, name);
  if (!crew.isImplied || files.has(name)) return undefined;
  const extensions = [".md", ".ai", ".yaml", ".yml"];
  const byName = extensions.map((extension) => join(folder, name + extension)).find((file) => existsSync(file));
  if (byName !== undefined) return byName;
  const isMeant = ({ id }: AgentFile) =>
    id === name || (kind === "collaborations" && simplifyName(id) === simplifyName(name));
  return neighbours(folder).find(isMeant)?.file;
}

/** The agent files of a folder, each folder read once, for a look at their ids. Only those that are meant get checked. */
function readNeighbours(): (folder: string) => readonly AgentFile[] {
  const known = new Map<string, AgentFile[]>();
  return (folder) => {
    const agents =
      known.get(folder) ?? listAgentFiles(folder).flatMap((file) => readAgentFile(file, folder, silentReporter) ?? []);
    known.set(folder, agents);
    return agents;
  };
}

function addAgent(byId: Map<string, AgentFile>, agent: AgentFile, reporter: Reporter): void {
  const other = byId.get(agent.id);
  if (other === undefined) {
    byId.set(agent.id, agent);
  } else if (other.file !== agent.file) {
    const place = agent.keys.id === undefined ? placeOfAgent(agent) : placeOfValue(agent, ["id"]);
    reporter.report("duplicate-id", place, `agent '${agent.id}' is defined in ${basename(other.file)} too`);
  }
}

function listIds(crew: CrewFile): string[] {
  const ids = new Set<string>();
  for (const [index, id] of (crew.keys.agents ?? []).entries()) {
    if (!ids.has(id)) ids.add(id);
    else {
      const place = placeOfValue(crew, ["agents", index]);
      crew.reporter.report("duplicate-id", place, `agent '${id}' is listed twice`);
    }
  }
  return [...ids];
}

function missingMessage(id: string, crew: CrewFile): string {
  const folders = agentFolders(crew).map((folder) => relative(crew.folder, folder) || ".");
  const searched = folders.map((folder) => `${folder}/${id}.{md,ai,yaml,yml}`).join(", ");
  return `agent '${id}' has no file: looked for ${searched}, and for 'id: ${id}' in the other files there`;
}

function reportUnlisted(agents: readonly AgentFile[], directory: AgentDirectory, reporter: Reporter): void {
  for (const agent of agents) {
    if (directory.files.has(agent.id)) continue;
    const message = `agent '${agent.id}' is not listed in the crew's 'agents' and nobody refers to its file`;
    reporter.report("unlisted-agent", placeOfAgent(agent), message);
  }
}

function nameOfFile(file: string): string {
  return basename(file).replace(/\.(md|ai|ya?ml)$/, "");
}
