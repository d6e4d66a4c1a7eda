export type Severity = "error" | "warning";

/** Every code loading can report. Codes keep their meaning for ever; new checks add new codes. */
export const diagnosticCodes = [
  "yaml-syntax",
  "not-utf8",
  "too-large",
  "alias",
  "outside-root",
  "not-found",
  "unreadable",
  "unknown-key",
  "both-spellings",
  "wrong-type",
  "missing-field",
  "duplicate-id",
  "duplicate-key",
  "bad-duration",
  "missing-limit",
  "no-effect",
  "missing-agent-file",
  "unlisted-agent",
  "unknown-agent",
  "unknown-target",
  "unknown-group",
  "unknown-crew",
  "unknown-tool",
  "unknown-collaborator",
  "unknown-entry-point",
  "bad-model",
  "missing-description",
  "unknown-template-name",
  "bad-template",
  "bad-signal-format",
  "unregistered-signal",
  "duplicate-signal",
  "disallowed-emitter",
  "bad-target",
  "deprecated-signal",
  "ambiguous-signal",
  "unreachable-agent",
  "dead-end",
  "unmentioned-signal",
  "endless-cycle",
  "empty-group",
  "reference-cycle",
  "bad-pattern",
  "format-mismatch",
] as const;

export type DiagnosticCode = (typeof diagnosticCodes)[number];

/** One problem of a crew's files. `line` and `column` count from 1; a problem of a whole file stands at 1:1. */
export interface Diagnostic {
  readonly severity: Severity;
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The lines around the place, the place underlined; empty where the file has no text to show. */
  readonly frame: string;
  /** The nearest valid name, where one is near enough. */
  readonly suggestion?: string;
}
