import type { Reporter } from "../definition/problem-log.ts";
import type { Span } from "../definition/source.ts";
import { type DiagnosticCode, findSeverity } from "../vocabulary/diagnostic.ts";

/** What reading a file said, each problem by itself. */
export interface FoundProblem {
  readonly code: DiagnosticCode;
  readonly file: string;
  readonly span: Span;
  readonly message: string;
  readonly isError: boolean;
  /** Why a key has no effect, where that is the problem. */
  readonly why: string | undefined;
}

/** A reporter that keeps every problem where it was found. */
export function collectProblems(): { readonly reporter: Reporter; readonly found: FoundProblem[] } {
  const found: FoundProblem[] = [];
  const reporter: Reporter = {
    strict: false,
    hasErrors: () => found.some(({ isError }) => isError),
    report(code, place, message, detail = {}) {
      const idle = "name" in detail ? undefined : detail.idle;
      const isForced = "name" in detail ? false : detail.isError === true;
      const isError = isForced || (!detail.isWarning && findSeverity(code, false) === "error");
      const span = place.span ?? { start: 0, end: 0 };
      found.push({ code, file: place.file, span, message, isError, why: idle?.why });
    },
  };
  return { reporter, found };
}
