import type { Diagnostic } from "./diagnostic.ts";
import type { BatonErrorCode } from "./error-codes.ts";

/** A mistake in what the user wrote or called. Its message says what to do; its code stays the same in later versions. */
export class BatonError extends Error {
  readonly code: BatonErrorCode;

  constructor(code: BatonErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "BatonError";
    this.code = code;
  }
}

export function explainUnknownRun(runId: string): BatonError {
  return new BatonError("unknown-run", `there is no run '${runId}'`);
}

/** A crew that cannot run. It lists every problem, including warnings. */
export class ConfigurationError extends BatonError {
  readonly diagnostics: readonly Diagnostic[];
  /** What the file should look like, if there is something to say besides the problems. */
  readonly hint: string | undefined;

  constructor(message: string, diagnostics: readonly Diagnostic[], hint?: string) {
    super("invalid-configuration", hint === undefined ? message : `${message}. ${hint}`);
    this.name = "ConfigurationError";
    this.diagnostics = diagnostics;
    this.hint = hint;
  }
}

/** Describes a value that somebody's code threw; empty if it contains no message. It never throws itself. */
export function describeThrown(thrown: unknown): string {
  try {
    const { message = thrown } = typeof thrown === "object" && thrown !== null ? (thrown as { message?: unknown }) : {};
    return typeof message === "object" && message !== null ? JSON.stringify(message) : String(message ?? "");
  } catch {
    return "something was thrown that cannot be put into words";
  }
}
