import { basename, dirname, join } from "node:path";
import { type AgentFile, readAgentFile, readMap } from "./agent-file.ts";
import type { AgentReading, FileScope } from "./agent-reading.ts";
import { crewShape } from "./crew-shape.ts";
import { findEntry } from "./fields.ts";
import { listAgentFiles } from "./find-crew.ts";
import { looksLikeCrew } from "./foreign-file.ts";
import { goAgentic, isGoCrew, readGoCrew } from "./origins/go-agentic.ts";
import type { Origin } from "./origins/origin.ts";
import { type ProblemLog, type Reporter, silentReporter } from "./problem-log.ts";
import { readText } from "./read-text.ts";
import type { ValueOf } from "./shape.ts";
import { createSource, type Source } from "./source.ts";
import type { MapNode } from "./yaml-node.ts";

/** A crew's own file as read. For agent files without a crew it stands for the crew they form. */
export interface CrewFile {
  readonly file: string;
  readonly folder: string;
  readonly source: Source;
  readonly root: MapNode;
  readonly keys: ValueOf<typeof crewShape>;
  readonly reporter: Reporter;
  /** There is no crew.yaml: the crew is one agent file and what it refers to, or a folder of them. */
  readonly isImplied: boolean;
  /** The system that the file was written for, if that is another one. */
  readonly origin: Origin | undefined;
}

export function readCrewFile(file: string, root: string, log: ProblemLog, strict: boolean): CrewFile | undefined {
  const result = readText(file, root);
  if ("problem" in result) {
    log.reporter(strict).report(result.problem.code, { file }, `${basename(file)} ${result.problem.message}`);
    return undefined;
  }
  return readCrewSource(createSource(file, result.text), log, strict);
}

export function readCrewSource(source: Source, log: ProblemLog, strict: boolean): CrewFile | undefined {
  // Which mode the crew is in stands in the file itself, so what parsing finds waits until that is known.
  const found: Parameters<Reporter["report"]>[] = [];
  const tree = readMap(
    source,
    { start: 0, end: source.text.length },
    { ...silentReporter, report: (...each) => void found.push(each) },
  );
  // Strict mode says less in the files that come from go-agentic.
  const origin = tree !== undefined && isGoCrew(tree) ? goAgentic : undefined;
  const reporter = log.reporter(strict || (tree !== undefined && origin === undefined && isStrict(tree)));
  for (const each of found) reporter.report(...each);
  if (tree === undefined) return undefined;
  const reading = { source, reporter, agents: listedIn(tree), origin };
  const root = origin === undefined ? tree : readGoCrew(tree, reading);
  const keys = crewShape.read(root, "crew", reading);
  if (keys === undefined) return undefined;
  const folder = dirname(source.file);
  return { file: source.file, folder, source, root, keys, reporter, origin, isImplied: false };
}

/** Whether a YAML file that is not called crew.yaml declares a crew. What is wrong with it is said when it is read. */
export function isCrewFile(file: string, root: string): boolean {
  if (!/\.ya?ml$/.test(file)) return false;
  const result = readText(file, root);
  if ("problem" in result) return false;
  const tree = readMap(createSource(file, result.text), { start: 0, end: result.text.length }, silentReporter);
  return tree !== undefined && looksLikeCrew(tree);
}

/** The folders in which a crew's agent files are looked for. */
export function agentFolders(crew: CrewFile): readonly string[] {
  const inside = join(crew.folder, "agents");
  return basename(crew.folder) === "config" ? [inside, join(dirname(crew.folder), "agents")] : [inside];
}

export function readAgentFolder(folders: readonly string[], reading: AgentReading): ReadAgents {
  const agents: AgentFile[] = [];
  const unreadable: string[] = [];
  for (const file of folders.flatMap(listAgentFiles)) {
    const agent = readAgentFile(file, reading);
    if (agent === undefined) unreadable.push(file);
    else agents.push(agent);
  }
  return { agents, unreadable };
}

/** How the files of a crew's agents are read. */
export function agentReading({ reporter, origin, isImplied }: CrewFile, { root, variables }: FileScope): AgentReading {
  return { root, variables, reporter, crewOrigin: origin, isLone: isImplied };
}

export interface ReadAgents {
  readonly agents: readonly AgentFile[];
  /** Files whose problems are reported already, so their agents are not missed a second time. */
  readonly unreadable: readonly string[];
}

function listedIn(tree: MapNode): ReadonlySet<string> {
  const list = findEntry(tree, "agents")?.value;
  const items = list?.kind === "list" ? list.items : [];
  return new Set(items.flatMap((item) => (item.kind === "scalar" ? item.written : [])));
}

function isStrict(tree: MapNode): boolean {
  const mode = findEntry(findEntry(tree, "settings")?.value, "config_mode")?.value;
  return mode?.kind === "scalar" && mode.value === "strict";
}
