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

/** The most characters of a thrown text that are read. No model and no person reads more. */
const MAX_THROWN_CHARS = 64 * 2 ** 10;
/** How far back a cut goes to find a space. */
const LONGEST_WORD = 2 ** 12;

/** Describes a value that somebody's code threw; empty if it contains no message. It never throws itself. */
export function describeThrown(thrown: unknown): string {
  try {
    const { message = thrown } = typeof thrown === "object" && thrown !== null ? (thrown as { message?: unknown }) : {};
    return cutThrown(
      typeof message === "object" && message !== null ? JSON.stringify(message, cutValue) : String(message ?? ""),
    );
  } catch {
    return "something was thrown that cannot be put into words";
  }
}

/**
 * Cuts a text that is too long to be stored, searched for secrets or told to a model. It is cut at a space, because half of a secret
 * would not be recognised.
 */
export function cutThrown(text: string, most = MAX_THROWN_CHARS): string {
  if (text.length <= most) return text;
  const note = `\n[… cut: ${text.length} characters in all …]`;
  const head = text.slice(0, most - note.length);
  const space = Math.max(head.lastIndexOf(" "), head.lastIndexOf("\n"));
  return head.slice(0, space > head.length - LONGEST_WORD ? space : head.length) + note;
}

function cutValue(_: string, value: unknown): unknown {
  // The whole must have room for what is beside it.
  return typeof value === "string" ? cutThrown(value, MAX_THROWN_CHARS / 2) : value;
}
