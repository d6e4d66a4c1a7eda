import type { Diagnostic } from "./diagnostic.ts";

/** A mistake in what the user wrote or called: a stable code, and what is wrong in words to act on. */
export class BatonError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "BatonError";
    this.code = code;
  }
}

export function explainUnknownRun(runId: string): BatonError {
  return new BatonError("unknown-run", `there is no run '${runId}'`);
}

/** A crew that cannot be run; carries every problem that was found, warnings included. */
export class ConfigurationError extends BatonError {
  readonly diagnostics: readonly Diagnostic[];

  constructor(message: string, diagnostics: readonly Diagnostic[]) {
    super("invalid-configuration", message);
    this.name = "ConfigurationError";
    this.diagnostics = diagnostics;
  }
}

/** Whatever somebody's code threw, in words; empty where it says nothing. Never throws itself. */
export function describeThrown(thrown: unknown): string {
  try {
    const { message = thrown } = typeof thrown === "object" && thrown !== null ? (thrown as { message?: unknown }) : {};
    return typeof message === "object" && message !== null ? JSON.stringify(message) : String(message ?? "");
  } catch {
    return "something was thrown that cannot be put into words";
  }
}
