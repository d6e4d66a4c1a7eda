import { existsSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { agentExtensions } from "./agent-extensions.ts";
import { type AgentFile, idOfFile, placeOfAgent, readAgentFile, readRemoteEntry } from "./agent-file.ts";
import type { AgentReading, FileScope } from "./agent-reading.ts";
import { isPathReference, type Reference } from "./collect-references.ts";
import { agentFolders, agentReading, type CrewFile, readAgentFolder } from "./crew-files.ts";
import { findEntry } from "./fields.ts";
import { listAgentFiles } from "./find-crew.ts";
import { placeOfValue } from "./locate.ts";
import { type Reporter, silentReporter } from "./problem-log.ts";
import { resolveInside } from "./read-text.ts";
import { listRemoteEntries } from "./remote-shape.ts";
import { type CollaboratorIndex, indexCollaborators } from "./resolve-collaborator.ts";

/** The agents of one crew. */
export interface AgentDirectory {
  /** Those listed, in order, then those that others refer to by path. */
  readonly files: ReadonlyMap<string, AgentFile>;
  /** The ids of `agents:` that have a file. */
  readonly listed: readonly string[];
  /** Every id that is meant to be of the crew: also those whose file is missing or broken, which is said once. */
  readonly known: ReadonlySet<string>;
  /** Files that are there and not part of the crew, by id. */
  readonly unlisted: ReadonlyMap<string, AgentFile>;
  /** Agents beside a file that are not part of the crew yet, where files without a crew.yaml find each other. */
  nearby(from: AgentFile): readonly string[];
  /** The id that a reference in `from` means. */
  resolve(reference: string, from: AgentFile): string | undefined;
}

/** Finds the file of each listed agent, and of the agents they refer to by path. */
export function collectListedAgents(crew: CrewFile, scope: FileScope): AgentDirectory {
  const { agents, unreadable } = readAgentFolder(agentFolders(crew), agentReading(crew, scope));
  const byId = new Map<string, AgentFile>();
  for (const agent of agents) addAgent(byId, agent, crew.reporter);
  for (const entry of listRemoteEntries(findEntry(crew.root, "agents")?.value)) {
    const agent = readRemoteEntry(crew.source, entry);
    if (agent !== undefined) addAgent(byId, agent, crew.reporter);
  }
  const listed = listIds(crew);
  const broken = new Set(unreadable.map(idOfFile));
  reportMissing(crew, byId, broken);
  const found = listed.flatMap((id) => byId.get(id) ?? []);
  const referred = collectReferred(found, byId, crew, scope);
  return {
    ...referred,
    listed: listed.filter((id) => byId.has(id)),
    known: new Set([...referred.files.keys(), ...listed, ...broken]),
    unlisted: new Map([...byId].filter(([id]) => !referred.files.has(id))),
  };
}

/** The agents that are given in code, in the order of the crew. */
export function collectGivenAgents(crew: CrewFile, agents: readonly AgentFile[], scope: FileScope): AgentDirectory {
  const byId = new Map<string, AgentFile>();
  for (const agent of agents) addAgent(byId, agent, crew.reporter);
  const referred = collectReferred([...byId.values()], byId, crew, scope);
  const known = new Set([...referred.files.keys(), ...referred.broken]);
  return { ...referred, listed: [...byId.keys()], known, unlisted: new Map() };
}

/** One agent file and those it leads to, found beside the file that names them. */
export function collectImpliedAgents(crew: CrewFile, agents: readonly AgentFile[], scope: FileScope): AgentDirectory {
  const byId = new Map<string, AgentFile>();
  for (const agent of agents) addAgent(byId, agent, crew.reporter);
  const referred = collectReferred([...byId.values()], byId, crew, scope);
  const ids = [...referred.files.keys()];
  return { ...referred, listed: ids, known: new Set([...ids, ...referred.broken]), unlisted: new Map() };
}

interface Referred extends Pick<AgentDirectory, "files" | "nearby" | "resolve"> {
  /** Names whose files are there and cannot be used. */
  readonly broken: ReadonlySet<string>;
}

function collectReferred(
  start: readonly AgentFile[],
  known: ReadonlyMap<string, AgentFile>,
  crew: CrewFile,
  scope: FileScope,
): Referred {
  const files = new Map(start.map((agent) => [agent.id, agent]));
  const broken = new Set<string>();
  // Files that cannot be used are remembered too: what is wrong with them is said once, however often they are named.
  const byPath = new Map<string, AgentFile | undefined>(
    [...known.values()].map((agent) => [resolve(agent.file), agent]),
  );
  const neighbours = readNeighbours(agentReading(crew, scope));
  const queue = [...files.values()];
  for (const agent of queue) {
    for (const reference of agent.references) {
      const file = findFile(reference, agent, files, crew, neighbours);
      if (file === undefined) continue;
      if (!byPath.has(file)) byPath.set(file, readReferred(file, reference, crew, scope));
      const referred = byPath.get(file);
      if (referred === undefined) broken.add(reference.name);
      else if (addAgent(files, referred, crew.reporter)) queue.push(referred);
    }
  }
  return {
    files,
    broken,
    nearby: ({ file, id }) =>
      crew.isImplied ? [...neighbours(dirname(file)).agents.keys()].filter((other) => other !== id) : [],
    resolve: (reference, from) => {
      const file = isPathReference(reference) ? resolve(dirname(from.file), reference) : undefined;
      const id = file === undefined ? reference : byPath.get(file)?.id;
      return id !== undefined && files.has(id) ? id : undefined;
    },
  };
}

function readReferred(file: string, reference: Reference, crew: CrewFile, scope: FileScope): AgentFile | undefined {
  const inside = resolveInside(file, scope.root);
  if (!("problem" in inside)) return readAgentFile(file, agentReading(crew, scope));
  crew.reporter.report(inside.problem.code, reference.place, `'${reference.name}' ${inside.problem.message}`);
  return undefined;
}

/** The file that a reference leads to, if it is one that has still to be looked for. */
function findFile(
  { kind, name }: Reference,
  from: AgentFile,
  files: ReadonlyMap<string, AgentFile>,
  crew: CrewFile,
  neighbours: (folder: string) => Neighbours,
): string | undefined {
  const folder = dirname(from.file);
  if (isPathReference(name)) return resolve(folder, name);
  if (!crew.isImplied || files.has(name)) return undefined;
  const byName = agentExtensions.map((extension) => join(folder, name + extension)).find((file) => existsSync(file));
  if (byName !== undefined) return byName;
  const near = neighbours(folder);
  if (kind !== "collaborations" && !from.origin?.callsByName) return near.agents.get(name)?.file;
  const [fitting, ...others] = near.find(name);
  return fitting === undefined || others.length > 0 ? undefined : near.agents.get(fitting)?.file;
}

/** The agents of a folder, and who of them a name fits. */
interface Neighbours extends CollaboratorIndex {
  readonly agents: ReadonlyMap<string, AgentFile>;
}

/** The agent files of a folder, each folder read once, for a look at their names. Only those that are meant get checked. */
function readNeighbours(reading: AgentReading): (folder: string) => Neighbours {
  const known = new Map<string, Neighbours>();
  return (folder) => {
    const found = known.get(folder);
    if (found !== undefined) return found;
    const silent = { ...reading, reporter: silentReporter };
    const agents = new Map<string, AgentFile>();
    for (const file of listAgentFiles(folder)) {
      const agent = readAgentFile(file, silent);
      if (agent !== undefined && !agents.has(agent.id)) agents.set(agent.id, agent);
    }
    const read = { agents, ...indexCollaborators(agents) };
    known.set(folder, read);
    return read;
  };
}

/** Adds an agent that is new; says so where another has its id. */
function addAgent(byId: Map<string, AgentFile>, agent: AgentFile, reporter: Reporter): boolean {
  const other = byId.get(agent.id);
  if (other === undefined) {
    byId.set(agent.id, agent);
    return true;
  }
  if (other.file !== agent.file) {
    const place = agent.keys.id === undefined ? placeOfAgent(agent) : placeOfValue(agent, ["id"]);
    reporter.report("duplicate-id", place, `agent '${agent.id}' is defined in ${basename(other.file)} too`);
  }
  return false;
}

function listIds(crew: CrewFile): string[] {
  const ids = new Set<string>();
  for (const [index, id] of (crew.keys.agents ?? []).entries()) {
    if (ids.has(id)) {
      crew.reporter.report("duplicate-id", placeOfValue(crew, ["agents", index]), `agent '${id}' is listed twice`);
    }
    ids.add(id);
  }
  return [...ids];
}

function reportMissing(crew: CrewFile, byId: ReadonlyMap<string, AgentFile>, broken: ReadonlySet<string>): void {
  for (const [index, id] of (crew.keys.agents ?? []).entries()) {
    if (byId.has(id) || broken.has(id)) continue;
    const namesake = [...byId.values()].find(({ file }) => idOfFile(file) === id);
    const folders = agentFolders(crew).map((folder) => relative(crew.folder, folder) || ".");
    const searched = folders.map((folder) => `${folder}/${id}{${agentExtensions.join(",")}}`).join(", ");
    const message =
      namesake === undefined
        ? `agent '${id}' has no file: looked for ${searched}, and for 'id: ${id}' in the other files there`
        : `agent '${id}' has no file: ${id}${extname(namesake.file)} is there, but its 'id' is '${namesake.id}'`;
    const near = namesake === undefined ? { name: id, among: byId.keys() } : undefined;
    crew.reporter.report("missing-agent-file", placeOfValue(crew, ["agents", index]), message, near);
  }
}
