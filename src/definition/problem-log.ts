import { type Diagnostic, type DiagnosticCode, findSeverity, type Severity } from "../vocabulary/diagnostic.ts";
import { nearestName } from "../vocabulary/nearest-name.ts";
import { codeFrame, printable } from "./code-frame.ts";
import type { Place } from "./source.ts";

/** A name that was not found, and the names it may have meant. */
export interface Near {
  readonly name: string;
  readonly among: Iterable<string>;
  /** The form in which the names are compared, where it is not the usual one. */
  readonly compare?: (name: string) => string;
  /** A name that is near enough to another was meant to be that one, which makes this an error in every mode. */
  readonly isSlip?: boolean;
  /** A warning in every mode: nothing that was asked for depends on it. */
  readonly isWarning?: boolean;
}

/** How a problem differs from others of its code. */
export interface Weight {
  /** An error in every mode. */
  readonly isError?: boolean;
  /** A warning in every mode. */
  readonly isWarning?: boolean;
  /** A key that has no effect, and why: a file's are told together, and all of a system's, where a crew has files of one. */
  readonly idle?: { readonly key: string; readonly why: string; readonly system?: string | undefined };
}

/** Takes the problems of one crew's files; `strict` is that crew's mode. */
export interface Reporter {
  readonly strict: boolean;
  /** Whether an error was reported so far. */
  hasErrors(): boolean;
  report(code: DiagnosticCode, place: Place, message: string, detail?: Near | Weight): void;
}

/** Collects the problems of a crew and its sub-crews. */
export interface ProblemLog {
  reporter(strict: boolean): Reporter;
  /** In the order of files and lines. `shownAs` turns a file's path into what the reader is told. */
  diagnostics(shownAs: (file: string) => string): Diagnostic[];
}

interface Problem {
  readonly severity: Severity;
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly place: Place;
  readonly suggestion: string | undefined;
  readonly idle?: Weight["idle"];
}

/** Looking for the nearest name costs more than the check that failed; a file of nothing but slips gets no more than these. */
const MAX_SUGGESTIONS = 100;

/** Takes problems and forgets them, for a look at a file that may turn out not to matter. */
export const silentReporter: Reporter = { strict: false, hasErrors: () => false, report: () => undefined };

export function createProblemLog(): ProblemLog {
  const problems: Problem[] = [];
  let suggestions = 0;
  const createReporter = (strict: boolean): Reporter => {
    let errors = 0;
    return {
      strict,
      hasErrors: () => errors > 0,
      report(code, place, message, detail = {}) {
        const near = "name" in detail ? detail : undefined;
        const suggestion =
          near !== undefined && suggestions++ < MAX_SUGGESTIONS
            ? nearestName(near.name, near.among, near.compare)
            : undefined;
        const severity = findOwnSeverity(detail, suggestion) ?? findSeverity(code, strict);
        const idle = "name" in detail ? undefined : detail.idle;
        if (severity === "error") errors++;
        const others = near === undefined || suggestion !== undefined ? "" : listOthers(code, near);
        const said = { severity, code, message: printable(`${message}${others}`), place, suggestion };
        problems.push({ ...said, ...(idle !== undefined && { idle }) });
      },
    };
  };
  return {
    reporter: createReporter,
    diagnostics: (shownAs) =>
      unique(gatherIdle(problems).map((problem) => toDiagnostic(problem, shownAs))).sort(byPlace),
  };
}

/** Names that people give, of which a crew has few: where none is near, the message lists them. */
const listedNames: ReadonlySet<DiagnosticCode> = new Set([
  "unknown-agent",
  "unknown-target",
  "unknown-group",
  "unknown-crew",
  "unknown-entry-point",
]);
const MOST_NAMES = 8;

function listOthers(code: DiagnosticCode, { among }: Near): string {
  const names = listedNames.has(code) ? [...new Set(among)] : [];
  if (names.length === 0) return "";
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return `; there ${names.length === 1 ? "is only" : "are"} ${shown}${names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ""}`;
}

/** How severe a problem is whatever its code says; undefined where the code says it. */
function findOwnSeverity(detail: Near | Weight, suggestion: string | undefined): Severity | undefined {
  const isError = "name" in detail ? suggestion !== undefined && detail.isSlip : detail.isError;
  return isError ? "error" : detail.isWarning ? "warning" : undefined;
}

/** Of the keys that have no effect one line says enough, for each file, or for each other system whose files these are. */
function gatherIdle(problems: readonly Problem[]): Problem[] {
  const groupOf = ({ idle, place }: Problem) => idle?.system ?? `file ${place.file}`;
  const groups = Map.groupBy(
    problems.filter(({ idle }) => idle !== undefined),
    groupOf,
  );
  return problems.flatMap((problem) => {
    const all = problem.idle === undefined ? [] : (groups.get(groupOf(problem)) ?? []);
    if (all.length < 2) return problem;
    return problem === all[0] ? { ...problem, message: printable(idleMessage(all)) } : [];
  });
}

function idleMessage(problems: readonly Problem[]): string {
  const idle = problems.flatMap((problem) => problem.idle ?? []);
  const reasons = [...new Set(idle.map(({ why }) => why))].map((why) => {
    const keys = new Set(idle.filter((each) => each.why === why).map(({ key }) => `'${key}'`));
    return `${[...keys].join(", ")} (${why})`;
  });
  const files = new Set(problems.map(({ place }) => place.file)).size;
  return `these keys have no effect: ${reasons.join("; ")}${files === 1 ? "" : `, in ${files} files`}`;
}

/** The words in which a suggestion is given, at the end of the message and behind the frame's marks. */
export function suggestionText(suggestion: string): string {
  return `did you mean '${suggestion}'?`;
}

function toDiagnostic(problem: Problem, shownAs: (file: string) => string): Diagnostic {
  const { severity, code, place, suggestion } = problem;
  const { line, column } = place.source?.position(place.span?.start ?? 0) ?? { line: 1, column: 1 };
  const label = suggestion === undefined ? "" : suggestionText(suggestion);
  return {
    severity,
    code,
    message: label === "" ? problem.message : `${problem.message}; ${label}`,
    file: shownAs(place.file),
    line,
    column,
    frame: place.source === undefined || place.span === undefined ? "" : codeFrame(place.source, place.span, label),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** A crew that two parents call is loaded twice; what is wrong with it is said once. */
function unique(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter((diagnostic) => {
    const key = [diagnostic.file, diagnostic.line, diagnostic.column, diagnostic.code, diagnostic.message].join(
      "\u0000",
    );
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
