import { realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Crew, SubCrew } from "../vocabulary/crew.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { readAgentFile, readYamlAgent } from "./agent-file.ts";
import { buildCrew } from "./build-crew.ts";
import { findMcpFolder } from "./build-mcp.ts";
import { readAllowance } from "./build-tool-sets.ts";
import { checkCrewKeys } from "./checks/check-crew-keys.ts";
import { checkDepth } from "./checks/check-depth.ts";
import { checkFlow } from "./checks/check-flow.ts";
import { checkGroupPauses } from "./checks/check-group-pauses.ts";
import { checkLimitsOfRun } from "./checks/check-limits.ts";
import {
  type AgentDirectory,
  collectGivenAgents,
  collectImpliedAgents,
  collectListedAgents,
} from "./collect-agents.ts";
import { agentReading, type CrewFile, isCrewFile, readCrewFile, readCrewSource } from "./crew-files.ts";
import { assembleParts, type CrewParts } from "./crew-parts.ts";
import { chooseRoot, type Found, findCrew, type RootChoice } from "./find-crew.ts";
import { addCrewNotes, callSubagents, impliedCrewFile } from "./implied-crew.ts";
import { loadSubCrews } from "./load-sub-crews.ts";
import type { Loading, LoadOptions } from "./loading.ts";
import { isKeySet, type KeyOfCrew, locateKey, type Position } from "./locate-key.ts";
import { createProblemLog } from "./problem-log.ts";
import { allowVariables, type Project, readProject } from "./read-project.ts";
import { isInside } from "./read-text.ts";
import { createSource } from "./source.ts";

/** What there is of a crew, and everything that is wrong with it. With an error it must not be used, but it can be looked at. */
export interface LoadedDefinition {
  readonly crew: Crew | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The folder that no reference may leave. */
  readonly root: string;
  /** A file outside the crew's own folder that it uses, where nobody says which folder is the project's. */
  readonly outside?: string;
  /** What the project's baton.yaml says; undefined if there is no crew at the path. */
  readonly project: Project | undefined;
}

/** Reads and checks the crew at `path`: executes, imports, spawns and connects to nothing. */
export function loadDefinition(path: string, options: LoadOptions): LoadedDefinition {
  const { crew, diagnostics, root, home, files, project } = load(resolve(options.workingDirectory, path), options);
  const outside = home && files.find((file) => !isInside(file, home));
  const shown = outside && relative(options.workingDirectory, outside);
  return { crew, diagnostics, root, project, ...(shown !== undefined && { outside: shown }) };
}

/** The crew at `path`, and what it and its sub-crews are made of: for what writes a crew out of files of other systems. */
export interface PartedDefinition {
  readonly crew: Crew | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly root: string;
  readonly parts: ReadonlyMap<Crew, CrewParts>;
}

/** Reads a crew with its parts; `files` are its agents' files where no crew.yaml lists them. */
export function loadParts(path: string, options: LoadOptions, files?: readonly string[]): PartedDefinition {
  const whole = resolve(options.workingDirectory, path);
  return load(whole, options, files === undefined ? findCrew(whole) : { type: "folder", files });
}

/** The crew at `path` and everything that is wrong with it, and where its keys stand in its files. */
export interface LocatedDefinition extends Pick<LoadedDefinition, "crew" | "diagnostics"> {
  /** The place of a key, or of the nearest thing around it, of the crew or one of its sub-crews. */
  locatePlace(crew: Crew, key: KeyOfCrew): Position | undefined;
  /** Whether the files set a key of the crew or one of its sub-crews. */
  isSet(crew: Crew, key: KeyOfCrew): boolean;
  /** The file that declares the crew or one of its sub-crews: a `crew.yaml`, or a lone agent's file. */
  fileOf(crew: Crew): string | undefined;
  /** Every file that was read. */
  readonly files: readonly string[];
}

/** Reads and checks a crew to look up places in its files. */
export function locateDefinition(path: string, options: LoadOptions): LocatedDefinition {
  const { crew, diagnostics, parts, files } = load(resolve(options.workingDirectory, path), options);
  const locatePlace = (of: Crew, key: KeyOfCrew) => {
    const found = parts.get(of);
    return found && locateKey(found, key, (file) => relative(options.workingDirectory, file));
  };
  const isSet = (of: Crew, key: KeyOfCrew) => {
    const found = parts.get(of);
    return found !== undefined && isKeySet(found, key);
  };
  return { crew, diagnostics, locatePlace, isSet, fileOf: (of) => parts.get(of)?.crewFile.file, files };
}

interface Loaded {
  readonly crew: Crew | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly root: string;
  readonly home?: string | undefined;
  readonly parts: Map<Crew, CrewParts>;
  readonly project: Project | undefined;
  /** Every file that the crew and all below it name. */
  readonly files: readonly string[];
}

/** Loads the crew in the first project folder that none of its references leaves; in the last, whatever they do. */
function load(path: string, options: LoadOptions, found: Found = findCrew(path)): Loaded {
  const { roots, home }: RootChoice =
    found.type === "nothing" || options.root !== undefined
      ? { roots: [resolve(options.workingDirectory, options.root ?? ".")] }
      : chooseRoot(path, options.workingDirectory);
  const [first = path, wider] = roots;
  const loaded = loadIn(first, path, found, options);
  const leaves = loaded.diagnostics.some(({ code }) => code === "outside-root");
  return { ...(leaves && wider !== undefined ? loadIn(wider, path, found, options) : loaded), home };
}

function loadIn(root: string, path: string, found: Found, options: LoadOptions): Loaded {
  const log = createProblemLog();
  const strict = options.strict ?? false;
  const parts = new Map<Crew, CrewParts>();
  const shown = (file: string) => relative(options.workingDirectory, file) || ".";
  if (found.type === "nothing") {
    log.reporter(strict).report("not-found", { file: path }, found.reason);
    return { crew: undefined, diagnostics: log.diagnostics(shown), root, project: undefined, parts, files: [] };
  }
  const project = readProject(root, log.reporter(strict));
  const variables = allowVariables(project, options.environment);
  const toolSets = readAllowance(options);
  const loading: Loading = {
    log,
    root,
    variables,
    project,
    options,
    toolSets,
    ancestors: [],
    loaded: new Map(),
    parts,
  };
  const isCrew = found.type === "crew" || (found.type === "agent" && isCrewFile(found.file, root));
  const crew = isCrew ? loadCrewFile(found.file, loading) : loadAgentFiles(found, loading);
  return { crew, diagnostics: log.diagnostics(shown), root, project, parts, files: listFiles(parts, root) };
}

function listFiles(parts: Map<Crew, CrewParts>, root: string): string[] {
  return [...parts].flatMap(([crew, { crewFile, directory }]) => [
    crewFile.file,
    ...[...directory.files.values()].map(({ file }) => file),
    ...[...crew.tools.values()].map(({ file }) => file),
    ...(crew.mcpServers.size > crewFile.keys.mcp_servers.size
      ? [join(findMcpFolder(crewFile, root), ".mcp.json")]
      : []),
  ]);
}

function loadCrewFile(file: string, loading: Loading): Crew | undefined {
  const crewFile = readCrewFile(file, loading.root, loading.log, loading.options.strict ?? false);
  if (crewFile === undefined) return undefined;
  const directory = collectListedAgents(crewFile, loading);
  const self = { file: realpathSync.native(file), name: crewFile.keys.name ?? file };
  const subCrews = loadSubCrews(crewFile, { ...loading, ancestors: [...loading.ancestors, self] }, loadCrewFile);
  return finish(crewFile, directory, subCrews, loading);
}

/** An agent that is given in code. */
interface AgentText {
  readonly id: string;
  readonly text: string;
}

/** Checks a crew that is given in code: each part as the text that a file would have. */
export function loadTexts(crew: string, agents: readonly AgentText[], options: LoadOptions): LoadedDefinition {
  const log = createProblemLog();
  const root = resolve(options.workingDirectory, options.root ?? ".");
  const strict = options.strict ?? false;
  const crewFile = readCrewSource(createSource(resolve(root, "crew in code"), crew), log, strict);
  const project = readProject(root, log.reporter(strict));
  const variables = allowVariables(project, options.environment);
  const toolSets = readAllowance(options);
  const loading = {
    log,
    root,
    variables,
    project,
    options,
    toolSets,
    ancestors: [],
    loaded: new Map(),
    parts: new Map(),
  };
  const loaded = crewFile && loadGiven(crewFile, agents, loading);
  return { crew: loaded, diagnostics: log.diagnostics((file) => relative(root, file)), root, project };
}

function loadGiven(crewFile: CrewFile, agents: readonly AgentText[], loading: Loading): Crew {
  const files = agents.flatMap(({ id, text }, index) => {
    const name = /^[\w-]+$/.test(id) ? `'${id}'` : index + 1;
    const source = createSource(resolve(loading.root, `agent ${name} in code`), text);
    return readYamlAgent(source, agentReading(crewFile, loading)) ?? [];
  });
  const self = { file: crewFile.file, name: crewFile.keys.name ?? crewFile.file };
  const subCrews = loadSubCrews(crewFile, { ...loading, ancestors: [self] }, loadCrewFile);
  return finish(crewFile, collectGivenAgents(crewFile, files, loading), subCrews, loading);
}

function loadAgentFiles(found: Extract<Found, { type: "agent" | "folder" }>, loading: Loading): Crew | undefined {
  const reporter = loading.log.reporter(loading.options.strict ?? false);
  const paths = found.type === "agent" ? [found.file] : found.files;
  const reading = { ...loading, reporter, isLone: true };
  const read = paths.flatMap((file) => readAgentFile(file, reading) ?? []);
  const agents = found.type === "folder" ? callSubagents(read) : read;
  const [first] = agents;
  if (first === undefined) {
    const [file = "."] = paths;
    if (!reporter.hasErrors()) reporter.report("not-found", { file }, "there is not an agent here");
    return undefined;
  }
  const name = found.type === "agent" ? first.id : "agents";
  const crewFile = impliedCrewFile(name, agents, resolve(first.file, ".."), reporter);
  const primaries = agents.filter(({ crew }) => crew.role === "primary");
  const [begins] = found.type === "agent" ? [first] : primaries.length === 1 ? primaries : [];
  const options = { ...(begins !== undefined && { entryPoint: begins.id }), ...loading.options };
  const directory = collectImpliedAgents(crewFile, agents, loading);
  return finish(addCrewNotes(crewFile, directory.files.values()), directory, new Map(), { ...loading, options });
}

function finish(
  crewFile: CrewFile,
  directory: AgentDirectory,
  subCrews: ReadonlyMap<string, SubCrew>,
  loading: Loading,
): Crew {
  const isRoot = loading.ancestors.length === 0;
  const parts = assembleParts(crewFile, directory, {
    signals: loading.options.signals,
    tools: new Set(loading.options.tools),
    approvals: new Set(loading.options.approvals),
    stubTools: loading.options.stubTools ?? false,
    toolSets: loading.toolSets,
    functions: new Set(isRoot ? loading.options.givenFunctions : []),
    entryPoint: isRoot ? loading.options.entryPoint : undefined,
    root: loading.root,
    project: loading.project,
    environment: loading.options.environment,
  });
  checkCrewKeys(parts);
  const crew = buildCrew(parts, subCrews);
  loading.parts.set(crew, parts);
  if (isRoot) checkDepth(crew, loading.parts);
  else checkLimitsOfRun(parts);
  // A mistyped name would make others look unreachable: what follows whom is judged when all else is in order.
  if (!crewFile.reporter.hasErrors()) {
    checkFlow(crew, parts);
    checkGroupPauses(crew, parts);
  }
  return crew;
}
