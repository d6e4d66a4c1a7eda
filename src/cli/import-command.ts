import { relative } from "node:path";
import type { ImportKind } from "../import/crew-plan.ts";
import { type CrewImport, type ImportedCrew, importSources } from "../import/import-sources.ts";
import { comparePlaces, type PlacedFile, type Placement, placeCrew } from "../import/place-crew.ts";
import { kindNames } from "../import/render-report.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { formatDiagnostics } from "./format-diagnostics.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface ImportCommandOptions {
  readonly from?: ImportKind;
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface Placed {
  readonly crew: ImportedCrew;
  readonly placement: Placement;
}

/** `baton import`: writes crews out of another system's files; 3 if a file cannot be imported, 1 if files that are there differ. */
export function importFiles(
  path: string,
  { dryRun, json, ...options }: ImportCommandOptions,
  terminal: Terminal,
): number {
  const { workingDirectory, variables } = terminal;
  const found = importSources(path, { ...options, workingDirectory, environment: variables });
  const place = dryRun ? comparePlaces : placeCrew;
  const placed = found.crews.map((crew): Placed => ({ crew, placement: place(crew) }));
  const problems = found.problems.map((each) => ({ ...each, file: show(each.file, terminal) }));
  if (json) terminal.print(JSON.stringify(describeAsData(placed, problems, terminal), undefined, 2));
  else {
    for (const each of placed) terminal.print(describeCrew(each, dryRun ?? false, terminal));
    if (problems.length > 0) terminal.note(formatDiagnostics(problems, (format, text) => terminal.style(format, text)));
  }
  return findExitCode(found, placed);
}

function findExitCode({ problems, crews }: CrewImport, placed: readonly Placed[]): number {
  const hasErrors = crews.some(({ diagnostics }) => diagnostics.some(isError));
  if (problems.length > 0 || hasErrors) return exitCodes.invalid;
  const isWhole = placed.every(
    ({ placement: { refusal, files } }) => refusal === undefined && files.every(({ state }) => state !== "differs"),
  );
  return isWhole ? exitCodes.completed : exitCodes.failed;
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function show(file: string, { workingDirectory }: Terminal): string {
  return relative(workingDirectory, file) || ".";
}

const MOST_FILES = 12;

function describeCrew({ crew, placement }: Placed, isDryRun: boolean, terminal: Terminal): string {
  const folder = show(crew.folder, terminal);
  const agents = crew.files.filter(({ path }) => /(?:^|\/)agents\//.test(path)).length;
  const what = `${formatAmount(agents, "agent")} of ${kindNames[crew.kind]}`;
  if (placement.refusal !== undefined)
    return `${terminal.style("red", "✗")} ${what}: nothing was written. ${placement.refusal.replaceAll(crew.folder, folder)}.`;
  const verb = isDryRun ? "would write" : "wrote";
  const isChanged = placement.files.some(({ state }) => state === "new");
  const first = isChanged ? `${what}: ${verb} ${folder}` : `${what}: ${folder} is there already`;
  const { decisions, idle } = crew.report;
  const errors = crew.diagnostics.filter(isError);
  const isKept = placement.files.some(({ state }) => state === "differs");
  const check =
    errors.length === 0
      ? `${terminal.style("green", "✓")} ${isKept ? "the import as such passes" : "passes"} baton check`
      : `${terminal.style("red", "✗")} baton check finds ${formatAmount(errors.length, "error")}`;
  const told = [
    decisions.length === 0 ? "nothing to decide" : `${formatAmount(decisions.length, "thing")} to decide`,
    idle.length === 0 ? [] : `${formatAmount(idle.length, "key")} without effect`,
  ].flat();
  const next = isDryRun ? "" : `\n  next: baton check ${folder}; baton run ${folder} "…"`;
  return `${first}\n${describeFiles(placement.files, isDryRun)}\n  ${check}; ${told.join(", ")}: see ${folder}/IMPORT.md${next}`;
}

/** Each file with what happened to it; of many new ones their number. */
function describeFiles(files: readonly PlacedFile[], isDryRun: boolean): string {
  const told = files.filter(({ state }) => state !== "unchanged");
  const kept = told.filter(({ state }) => state === "differs");
  const fresh = told.filter(({ state }) => state === "new");
  const shown = fresh.slice(0, MOST_FILES).map(({ path }) => `  ${path}`);
  const more = fresh.length > MOST_FILES ? [`  and ${fresh.length - MOST_FILES} more`] : [];
  const same = files.length - told.length;
  return [
    ...shown,
    ...more,
    ...kept.map(
      ({ path, line }) =>
        `  ${path}: ${isDryRun ? "would stay as it is" : "stays as it is"}; it differs from the import in line ${line}`,
    ),
    ...(same === 0 ? [] : [`  ${formatAmount(same, "file")} unchanged`]),
  ].join("\n");
}

function describeAsData(placed: readonly Placed[], problems: readonly Diagnostic[], terminal: Terminal): unknown {
  const notes = <Note extends { readonly file: string }>(list: readonly Note[]) =>
    list.map((note) => ({ ...note, file: show(note.file, terminal) }));
  return {
    crews: placed.map(({ crew, placement }) => ({
      kind: crew.kind,
      name: crew.name,
      folder: show(crew.folder, terminal),
      ...(placement.refusal !== undefined && { refusal: placement.refusal }),
      files: placement.files,
      mapped: notes(crew.report.mapped),
      idle: notes(crew.report.idle),
      decisions: notes(crew.report.decisions),
      check: { valid: !crew.diagnostics.some(isError), diagnostics: crew.diagnostics },
    })),
    problems,
  };
}
