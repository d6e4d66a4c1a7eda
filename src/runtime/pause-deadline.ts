import type { Store } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { PauseDecision, Paused, ResumeAnswer } from "../vocabulary/pause.ts";

/** A paused run whose deadline has passed. */
export interface ExpiredRun {
  readonly runId: RunId;
  readonly paused: Paused;
}

/** Whether the deadline of a pause has passed. */
export function hasExpired({ expiresAt }: Paused, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

/** The answer that the deadline of a pause gives. */
export function answerAtDeadline({ onExpiry = "fail" }: Paused): ResumeAnswer {
  return { ...(typeof onExpiry === "string" ? { decision: onExpiry } : onExpiry), by: "deadline" };
}

/** Says for people what a deadline decides, as part of a sentence. */
export function describeDecision(decision: PauseDecision = "fail"): string {
  if (typeof decision === "object") return `it is answered with '${decision.input}'`;
  return { fail: "the run fails", approve: "it is approved", reject: "it is rejected" }[decision];
}

/** Names a decision for lists and programs. */
export function decisionWords(decision: PauseDecision | undefined): string {
  return typeof decision === "object" ? `input '${decision.input}'` : (decision ?? "fail");
}

/**
 * The runs of a store whose pause has expired. `crew.expire` applies their deadline. Rejects with a `BatonError` whose code is a
 * `StoreErrorCode`.
 */
export async function listExpired(store: Pick<Store, "list" | "read">, now = Date.now()): Promise<ExpiredRun[]> {
  const expired: ExpiredRun[] = [];
  for (const { runId, events } of await store.list({ status: "paused" })) {
    const [last] = (await store.read(runId, events - 1)).slice(-1);
    if (last?.type === "run.paused" && hasExpired(last.data, now)) expired.push({ runId, paused: last.data });
  }
  return expired;
}

/** The error for an answer that comes after the deadline. The deadline decides, even if nobody has applied it yet. */
export function tooLate(runId: RunId, { expiresAt, onExpiry }: Paused): BatonError {
  const message = `the pause of run '${runId}' ended at ${expiresAt}, so ${describeDecision(onExpiry)}; the answer is not used`;
  return new BatonError("pause-expired", message);
}

/** The error when a deadline is applied before it has passed, or the pause has none. */
export function notExpired(runId: RunId, { expiresAt }: Paused): BatonError {
  const until = expiresAt === undefined ? "its pause has no deadline" : `its pause waits until ${expiresAt}`;
  return new BatonError("not-expired", `run '${runId}' still waits for an answer: ${until}`);
}
