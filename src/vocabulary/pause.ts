import type { Attachment } from "./attachment.ts";

/** Why a run paused. */
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

/**
 * What a human or program decides. Approvals of tools take `approve`, `reject` and `edit`; gates take `approve`, `reject` and
 * `redirect:<agent>`; a call whose result is unknown takes `happened` and `not_happened`.
 */
export type Decision = "approve" | "reject" | "edit" | `redirect:${string}` | "happened" | "not_happened";

/** The answer of a human or program to a paused run. `paused.options` says which parts the pause takes. */
export interface ResumeAnswer {
  /** What to tell the agent. With `reject`, the reason. */
  readonly input?: string;
  /** Only a deadline can decide `fail`. */
  readonly decision?: Decision | "fail";
  /** With `edit`: the arguments to call the tool with. */
  readonly args?: unknown;
  /** With `happened`: what the tool returned. */
  readonly result?: unknown;
  /** The response to an external signal. */
  readonly external?: unknown;
  /** The caps to raise, such as `{ max_cost_usd: 2 }`. */
  readonly quota?: unknown;
  /** Who answered, such as the name of a token; `deadline` if the deadline of the pause decided. */
  readonly by?: string;
}

/** An answer as the journal has it, with what came with its input. */
export interface RecordedAnswer extends ResumeAnswer {
  readonly attachments?: readonly Attachment[];
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
