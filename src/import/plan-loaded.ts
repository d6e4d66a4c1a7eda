import { basename } from "node:path";
import { agentReading } from "../definition/crew-files.ts";
import type { CrewParts } from "../definition/crew-parts.ts";
import { loadParts, type PartedDefinition } from "../definition/load-definition.ts";
import type { LoadEnvironment } from "../definition/load-environment.ts";
import { allowVariables } from "../definition/read-project.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { compact, toMap } from "./clean-keys.ts";
import {
  createNotes,
  type ImportKind,
  type ImportPlan,
  type Notes,
  type PlannedAgent,
  type PlannedCrew,
} from "./crew-plan.ts";
import { nameFile, nameFolder } from "./name-files.ts";
import { noteAgent } from "./note-agent.ts";
import { noteCrew } from "./note-crew.ts";
import { noteReferences, noteUnread } from "./note-references.ts";
import { planAgent } from "./plan-agent.ts";
import { planImpliedCrew, planListedCrew } from "./plan-crew-keys.ts";
import { planTools } from "./plan-tools.ts";

/** Files that Baton loads as they are. */
interface LoadedSource {
  readonly name: string;
  readonly path: string;
  /** The agents' files, where the path is a folder without a crew.yaml. */
  readonly files?: readonly string[];
}

interface Surroundings {
  readonly workingDirectory: string;
  readonly environment?: LoadEnvironment | undefined;
}

/** A crew out of files that Baton loads as they are; the problems, where nothing in them can be used; "own", where it is Baton's already. */
export function planLoaded(
  { name, path, files }: LoadedSource,
  { workingDirectory, environment }: Surroundings,
): ImportPlan | PartedDefinition | "own" {
  const loaded = loadParts(path, { workingDirectory, environment: environment ?? {} }, files);
  if (loaded.crew === undefined || loaded.crew.agents.size === 0) return loaded;
  const crewFile = loaded.parts.get(loaded.crew)?.crewFile;
  if (crewFile?.isImplied === false && crewFile.keys.version === "2.0") return "own";
  const notes = createNotes();
  const crews: PlannedCrew[] = [];
  const sources = new Set<string>();
  const folders = nameFolders(loaded.crew);
  for (const [crew, folder] of folders) {
    const parts = loaded.parts.get(crew);
    if (parts === undefined) continue;
    crews.push(planCrew(name, crew, parts, folder, folders, environment ?? {}, notes));
    if (!parts.crewFile.isImplied) sources.add(parts.crewFile.file);
    for (const { file } of parts.directory.files.values()) sources.add(file);
  }
  noteUnread(loaded, files ?? [], sources, workingDirectory, notes);
  return { kind: findKind(loaded.crew, loaded.parts), name, crews, notes, sources: [...sources] };
}

const kinds: Readonly<Record<string, ImportKind>> = {
  "go-agentic": "go-agentic",
  "ai-agent": "ai-agent",
  "Claude Code": "claude",
  Copilot: "copilot",
  opencode: "opencode",
};

/** The system that the files were written for: what they say themselves, else what they look like. */
function findKind(crew: Crew, all: ReadonlyMap<Crew, CrewParts>): ImportKind {
  const parts = all.get(crew);
  const files = [...(parts?.directory.files.values() ?? [])];
  const origins = [parts?.crewFile.origin, ...files.map(({ origin }) => origin)];
  const known = origins.map((origin) => kinds[origin?.name ?? ""]).find((kind) => kind !== undefined);
  if (known !== undefined) return known;
  if (parts?.crewFile.isImplied === false) return "go-agentic";
  return files.some(({ keys }) => keys.name !== undefined && keys.description !== undefined) ? "claude" : "maia";
}

/** A folder for each crew: the first is at the top, and those that it calls are below it. */
function nameFolders(root: Crew): Map<Crew, string> {
  const folders = new Map<Crew, string>([[root, ""]]);
  const taken = new Set<string>();
  for (const [crew] of folders)
    for (const [name, { crew: called }] of crew.subCrews) {
      if (folders.has(called)) continue;
      const free = nameFolder(name, taken);
      folders.set(called, `crews/${free}`);
    }
  return folders;
}

function planCrew(
  name: string,
  crew: Crew,
  parts: CrewParts,
  folder: string,
  folders: ReadonlyMap<Crew, string>,
  environment: LoadEnvironment,
  notes: Notes,
): PlannedCrew {
  const { crewFile, directory } = parts;
  const inside = (file: string) => (folder === "" ? file : `${folder}/${file}`);
  const tools = planTools(crew, parts, notes);
  const files = [...directory.files.values()];
  const scope = { root: parts.root, variables: allowVariables(parts.project, environment) };
  const reading = agentReading(crewFile, scope);
  const agents = files.flatMap((file): PlannedAgent[] => {
    const agent = crew.agents.get(file.id);
    if (agent === undefined) return [];
    const target = inside(`agents/${nameFile(file.id)}.md`);
    noteAgent(file, target, reading, notes);
    noteReferences(file, parts, target, notes);
    return [planAgent(file, agent, parts, tools.choicesOf(file.id))];
  });
  if (!crewFile.isImplied) noteCrew(crewFile, inside("crew.yaml"), notes);
  const subCrews = new Map(
    [...crew.subCrews].flatMap(([key, { crew: called }]) => {
      const to = folders.get(called);
      return to === undefined ? [] : [[key, folder === "" ? `./${to}` : `../${basename(to)}`] as const];
    }),
  );
  const keys = crewFile.isImplied ? planImpliedCrew(name, crew, parts) : planListedCrew(crew, parts, subCrews);
  const declared = { ...toMap(keys["tools"]), ...tools.sets };
  return { folder, keys: compact({ ...keys, tools: declared }), agents, stubs: tools.stubs };
}
