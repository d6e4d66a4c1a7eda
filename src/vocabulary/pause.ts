export type PauseReason =
  | "wait_for_signal"
  | "signal"
  | "gate"
  | "external"
  | "quota"
  | "no_signal"
  | "approval"
  | "ambiguous";

/** What a paused run waits for. */
export interface Paused {
  readonly agent: string;
  readonly reason: PauseReason;
  readonly prompt: string;
  readonly options: readonly string[];
  /** The tool that waits for approval. */
  readonly tool?: string;
  /** When the pause ends without an answer, and what is decided then. */
  readonly expiresAt?: string;
  readonly onExpiry?: PauseDecision;
}

/** The answer of a human or program to a paused run. */
export interface ResumeAnswer {
  readonly input?: string;
  /** `approve`, `reject`, `redirect:<agent>`, `edit`, `happened`, `not_happened`. */
  readonly decision?: string;
  readonly args?: unknown;
  readonly result?: unknown;
  readonly external?: unknown;
  readonly quota?: unknown;
  /** Present if the deadline of the pause decided, and not a human or program. */
  readonly by?: "deadline";
}

/** What is decided if nobody answers a pause in time. */
export type PauseDecision = "approve" | "reject" | "fail" | { readonly input: string };

/** How long a pause waits for an answer, and what happens if none comes. */
export interface PauseTimeout {
  readonly afterMs: number;
  readonly decision: PauseDecision;
}

/** Whether a question accepts a decision. Every question accepts `fail`; only approvals accept `approve` and `reject`. */
export function fitsQuestion(options: readonly string[], decision: PauseDecision): boolean {
  if (decision === "fail") return true;
  if (typeof decision === "string") return options.includes(decision);
  return options.includes("input") || options.includes("external");
}
