import { basename, dirname, extname, join, resolve } from "node:path";
import type { LoadEnvironment } from "../definition/load-environment.ts";
import { createProblemLog } from "../definition/problem-log.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import type { Decision, IdleKey, ImportKind, ImportPlan, MappedKey } from "./crew-plan.ts";
import { findFolder, findSources, type ImportSource } from "./find-sources.ts";
import { nameFolder } from "./name-files.ts";
import { planAutogen } from "./plan-autogen.ts";
import { planCrewAi } from "./plan-crewai.ts";
import { planDockerAgent } from "./plan-docker-agent.ts";
import { planLoaded } from "./plan-loaded.ts";
import type { CrewText } from "./render-crew.ts";
import { kindNames, renderReport, sortNotes } from "./render-report.ts";
import { repairPlan } from "./repair-plan.ts";

/** How something is imported. */
export interface ImportOptions {
  /** The kind of the files, where the path holds several. */
  readonly from?: ImportKind;
  /** The folder for the crew; beside the original when absent. With several crews, each gets a folder in it. */
  readonly to?: string;
  /** What paths are relative to; the working directory of the process when absent. */
  readonly workingDirectory?: string;
  /** Environment variables, of which a project's `baton.yaml` says which prompts may have. */
  readonly environment?: LoadEnvironment;
}

/** A crew that an import gives, of which nothing is written yet. */
export interface ImportedCrew {
  readonly kind: ImportKind;
  readonly name: string;
  /** The folder that it is meant for, absolute. */
  readonly folder: string;
  /** Its files by their paths in that folder, IMPORT.md among them. */
  readonly files: readonly CrewText[];
  readonly report: ImportReport;
  /** What `checkCrew` says of the crew. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What became of the lines of the originals. */
export interface ImportReport {
  readonly mapped: readonly MappedKey[];
  /** What does nothing here, and why. */
  readonly idle: readonly IdleKey[];
  /** What a person has to decide, each with a proposal. */
  readonly decisions: readonly Decision[];
}

/** The crews at a path, and why files could not be imported. */
export interface CrewImport {
  readonly crews: readonly ImportedCrew[];
  readonly problems: readonly Diagnostic[];
}

/** Plans the import of what is at a path: every crew there is, and why files could not be imported. */
export function importSources(path: string, options: ImportOptions = {}): CrewImport {
  const workingDirectory = resolve(options.workingDirectory ?? process.cwd());
  const whole = resolve(workingDirectory, path);
  const log = createProblemLog();
  const reporter = log.reporter(false);
  const show = (file: string) => file;
  const all = findSources(whole, reporter);
  const sources = all.filter((source) => options.from === undefined || mayBe(source, options.from));
  if (sources.length === 0 && !reporter.hasErrors()) {
    const found = [
      ...new Set(
        all.flatMap((source) => {
          const kind = findImportKind(source);
          return kind === undefined ? [] : kindNames[kind];
        }),
      ),
    ];
    const what =
      options.from === undefined ? "nothing here can be imported" : `nothing of ${kindNames[options.from]} is here`;
    reporter.report(
      "not-found",
      { file: whole },
      `${what}${found.length === 0 ? "" : `; there are files of ${found.join(", ")}`}`,
    );
  }
  const problems: Diagnostic[] = [];
  const crews: ImportedCrew[] = [];
  const target = resolve(workingDirectory, options.to ?? defaultFolder(whole, sources, workingDirectory));
  const taken = new Set<string>();
  for (const source of sources) {
    const plan = planSource(source, { ...options, workingDirectory }, problems);
    if (plan === undefined) continue;
    const folder = sources.length === 1 ? target : join(target, nameFolder(source.name, taken));
    crews.push(finish({ ...plan, kind: options.from ?? plan.kind }, folder));
  }
  return { crews, problems: [...log.diagnostics(show), ...problems] };
}

/** Kinds of which a file may be one without saying so. */
const unmarked: ReadonlySet<ImportKind> = new Set(["maia", "claude", "copilot", "opencode"]);

function mayBe(source: ImportSource, kind: ImportKind): boolean {
  const known = findImportKind(source);
  return known === undefined ? unmarked.has(kind) && source.type === "loaded" : known === kind;
}

function planSource(
  source: ImportSource,
  { workingDirectory, environment }: ImportOptions & { readonly workingDirectory: string },
  problems: Diagnostic[],
): ImportPlan | undefined {
  switch (source.type) {
    case "crewai":
      return planCrewAi(source.name, source);
    case "docker-agent":
      return planDockerAgent(source.name, source.file);
    case "autogen":
      return planAutogen(source.name, source.file);
    case "langgraph":
      problems.push(
        refuse(
          source.file,
          "a file of LangGraph names graphs that Python code builds, so there is nothing in it to import: write each node as an agent, and its edges as signals",
        ),
      );
      return undefined;
    case "loaded": {
      const planned = planLoaded(source, { workingDirectory, environment });
      if (planned === "own") {
        problems.push(refuse(source.path, "this is a crew of Baton already: run it as it is"));
        return undefined;
      }
      if (!("diagnostics" in planned)) return planned;
      problems.push(...planned.diagnostics.filter(({ severity }) => severity === "error"));
      return undefined;
    }
  }
}

function refuse(file: string, message: string): Diagnostic {
  return { severity: "error", code: "foreign-file", message, file, line: 1, column: 1, frame: "" };
}

/** Beside what is imported: `desk-crew` for `desk`, `desk/config` or `desk/config/crew.yaml`; in the project for a product's folder. */
function defaultFolder(path: string, sources: readonly ImportSource[], workingDirectory: string): string {
  const [, project] = /^(.*)\/\.(?:claude|github|opencode)(?:\/|$)/.exec(path) ?? [];
  const home = findFolder(path);
  const [only] = sources.length === 1 ? sources : [];
  const name = only?.name ?? basename(home).replace(/\.[a-z]+$/i, "");
  // Nobody who stands in a folder expects files above it.
  const beside = home === workingDirectory ? home : dirname(home);
  return join(project ?? beside, `${nameFolder(name)}-crew`);
}

function finish(given: ImportPlan, folder: string): ImportedCrew {
  const { plan, texts, diagnostics } = repairPlan(given);
  const report = sortNotes(plan.notes);
  const text = renderReport(plan, report, diagnostics, folder);
  return {
    kind: plan.kind,
    name: plan.name,
    folder,
    files: [...texts, { path: "IMPORT.md", text }],
    report,
    diagnostics,
  };
}

/** The kind of what is to be imported, as far as its names say; undefined where the files themselves have to be read. */
function findImportKind(source: ImportSource): ImportKind | undefined {
  if (source.type === "langgraph") return undefined;
  if (source.type !== "loaded") return source.type;
  if (source.kind !== undefined) return source.kind;
  const file = source.files?.[0] ?? source.path;
  if (extname(file) === ".ai") return "ai-agent";
  if (/\.ya?ml$/.test(file)) return "go-agentic";
  if (/\/\.claude\/agents\//.test(file)) return "claude";
  if (/\.(?:agent|chatmode)\.md$|\/\.github\/(?:agents|chatmodes)\//.test(file)) return "copilot";
  return /\/\.?opencode\/agents?\//.test(file) ? "opencode" : undefined;
}
