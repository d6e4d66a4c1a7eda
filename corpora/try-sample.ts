import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkCrew } from "../src/definition/check-crew.ts";
import { loadDefinition } from "../src/definition/load-definition.ts";
import { listCrews } from "../src/flow/list-crews.ts";
import { importSources } from "../src/import/import-sources.ts";
import { placeCrew } from "../src/import/place-crew.ts";
import { playScenario } from "../src/scenario/play-scenario.ts";
import { readScenario } from "../src/scenario/read-scenario.ts";
import { buildResult } from "../src/views/run-result.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import type { Diagnostic, DiagnosticCode } from "../src/vocabulary/diagnostic.ts";
import { writeReplies } from "./write-replies.ts";

/** How it went with one file of the collection. */
export interface Tried {
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly isLoaded: boolean;
  /** It is refused, and only because something that it names is not there, or because it is another program's file. */
  readonly isExplained: boolean;
  /** Whether it loads, or loads once its tools are there, and a scripted run of it comes to an end. */
  readonly isPlayed: boolean;
  /** Whether an import of it passes the check, and does so again without a change. */
  readonly isImported: boolean;
  /** Whether a scripted run of what was imported comes to an end. */
  readonly isImportPlayed: boolean;
  /** Why it did not play, or what was thrown. */
  readonly problem?: string;
  readonly isUncaught: boolean;
  /** Which of its tools are there once Baton's own are allowed; undefined for a file that names none, or does not load. */
  readonly equipped?: "all" | "some" | "none" | undefined;
}

/** Errors about what is beside a file, not in it. */
const aboutOthers: ReadonlySet<DiagnosticCode> = new Set([
  "unknown-tool",
  "unknown-agent",
  "unknown-collaborator",
  "missing-agent-file",
  "missing-description",
  "not-found",
  "outside-root",
  "foreign-file",
  "unset-variable",
]);

/** Loads a file as it is, and plays a run of it in which every agent answers from a script; then the same of its import. Nothing outside is called. */
export async function trySample(file: string, folder: string): Promise<Tried> {
  const options = { workingDirectory: folder };
  try {
    const { crew, diagnostics } = loadDefinition(file, options);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const isLoaded = errors.length === 0;
    const isExplained = !isLoaded && errors.every(({ code }) => aboutOthers.has(code));
    const tools = crew === undefined ? [] : listTools(crew);
    const playable = isLoaded ? crew : crew && checkCrew(file, { ...options, tools }).crew;
    const problem = playable === undefined ? "it is refused" : await play(file, playable, tools);
    const isPlayed = problem === undefined;
    const equipped = isLoaded ? findEquipped(file, folder) : undefined;
    const imported = await tryImport(file, folder);
    const { isImported, problem: importProblem } = imported;
    const isImportPlayed = isImported && importProblem === undefined;
    const problems = [problem, importProblem && `imported: ${importProblem}`].filter((each) => each !== undefined);
    const told = problems.length === 0 ? {} : { problem: problems.join("; ") };
    return {
      file,
      diagnostics,
      isLoaded,
      isExplained,
      isPlayed,
      isImported,
      isImportPlayed,
      isUncaught: false,
      equipped,
      ...told,
    };
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const nothing = { isLoaded: false, isExplained: false, isPlayed: false, isImported: false, isImportPlayed: false };
    return { file, diagnostics: [], ...nothing, isUncaught: true, problem };
  }
}

/** Imports a file twice into a folder of its own, and plays a run of what is there then. */
async function tryImport(file: string, folder: string): Promise<{ isImported: boolean; problem?: string }> {
  const scratch = mkdtempSync(join(tmpdir(), "baton-corpora-"));
  try {
    const options = { workingDirectory: folder, to: join(scratch, "crew") };
    const [crew] = importSources(file, options).crews;
    if (crew === undefined) return { isImported: false, problem: "nothing is imported" };
    placeCrew(crew);
    const [again] = importSources(file, options).crews;
    const isSame = again !== undefined && placeCrew(again).files.every(({ state }) => state === "unchanged");
    const checked = checkCrew(crew.folder, { workingDirectory: scratch, root: scratch });
    if (!isSame || checked.crew === undefined) {
      const why = checked.diagnostics.find(({ severity }) => severity === "error")?.message;
      return { isImported: false, problem: why ?? "a second import differs from the first" };
    }
    const problem = await play(crew.folder, checked.crew, listTools(checked.crew));
    return { isImported: true, ...(problem !== undefined && { problem }) };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Whether the tools that an agent of a product names are there with `--allow`. */
function findEquipped(file: string, folder: string): Tried["equipped"] {
  const allow = `write:${folder},shell:git,web:example.org,todo`;
  const { crew, diagnostics } = checkCrew(file, { workingDirectory: folder, root: folder, allow });
  if (crew === undefined) return undefined;
  const isMissing = diagnostics.some(({ code }) => code === "absent-tool");
  const own = listTools(crew).some((tool) => /^(?:files|shell|web|todo)__/.test(tool));
  if (!own) return isMissing ? "none" : undefined;
  return isMissing ? "some" : "all";
}

function listTools(crew: Crew): string[] {
  return [...new Set(listCrews(crew).flatMap(([, { agents }]) => [...agents.values()].flatMap(({ tools }) => tools)))];
}

/** Why the crew does not play; undefined where it does. */
async function play(file: string, crew: Crew, tools: readonly string[]): Promise<string | undefined> {
  const scenario = {
    run: file,
    input: "Please begin.",
    script: writeReplies(crew),
    tools: Object.fromEntries(tools.map((tool) => [tool, { result: "a result" }])),
    expect: {},
  };
  const scratch = mkdtempSync(join(tmpdir(), "baton-corpora-"));
  try {
    const written = join(scratch, "sample.scenario.yaml");
    writeFileSync(written, JSON.stringify(scenario));
    const read = readScenario(written, (name) => name);
    if ("diagnostics" in read) return read.diagnostics.map(({ message }) => message).join("; ");
    const { events = [], diagnostics } = await playScenario(read.scenario);
    if (events.length === 0) return diagnostics.map(({ message }) => message).join("; ");
    const { status, stopReason, error } = buildResult(events);
    // A limit is an end too: an agent that answers the same for ever runs into one.
    return stopReason === "error" ? `the run ${status}: ${error?.message}` : undefined;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
