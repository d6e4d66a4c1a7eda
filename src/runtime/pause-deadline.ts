import type { Store } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { PauseDecision, Paused, ResumeAnswer } from "../vocabulary/pause.ts";

/** A paused run whose deadline has passed. */
export interface ExpiredRun {
  readonly runId: RunId;
  readonly paused: Paused;
}

/** Whether a pause waits for no answer any more. */
export function hasExpired({ expiresAt }: Paused, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

/** The answer that the deadline of a pause gives. */
export function answerOfDeadline({ onExpiry = "fail" }: Paused): ResumeAnswer {
  return { ...(typeof onExpiry === "string" ? { decision: onExpiry } : onExpiry), by: "deadline" };
}

/** A decision in words for people. */
export function decisionWords(decision: PauseDecision | undefined): string {
  return typeof decision === "object" ? `input '${decision.input}'` : (decision ?? "fail");
}

/** The runs of a store whose pause has expired and whose deadline nobody has applied yet; `crew.expire` does. */
export async function expiredRuns(store: Pick<Store, "list" | "read">, now = Date.now()): Promise<ExpiredRun[]> {
  const expired: ExpiredRun[] = [];
  for (const { runId, events } of await store.list({ status: "paused" })) {
    const [last] = (await store.read(runId, events - 1)).slice(-1);
    if (last?.type === "run.paused" && hasExpired(last.data, now)) expired.push({ runId, paused: last.data });
  }
  return expired;
}

/** For an answer that comes too late: the deadline has decided, though nobody has told the run yet. */
export function tooLate(runId: RunId, { expiresAt, onExpiry }: Paused): BatonError {
  const message = `run '${runId}' waited until ${expiresAt}: its deadline decides (${decisionWords(onExpiry)}), and the answer is not used`;
  return new BatonError("pause-expired", message);
}

/** For a deadline that is to be applied and has not passed, or was never set. */
export function notExpired(runId: RunId, { expiresAt }: Paused): BatonError {
  const until = expiresAt === undefined ? "its pause has no deadline" : `its pause waits until ${expiresAt}`;
  return new BatonError("not-expired", `run '${runId}' still waits for an answer: ${until}`);
}
