import type { BatonEvent } from "../events.ts";
import type { Verdict } from "./handoff-records.ts";

/** Why nobody seems to have fitted a run's input; undefined where somebody did. */
export function findGap(events: readonly BatonEvent[], verdict: Verdict | undefined): string | undefined {
  if (events.some(isUnsure)) return "low_confidence";
  if (verdict === "bad") return "feedback";
  if (events.some((event) => event.type === "run.paused" && event.data.reason === "no_signal")) return "no_signal";
  const last = events.at(-1);
  const stopReason = last?.type === "run.completed" ? last.data.stopReason : undefined;
  // Everybody passed it on until no handoff was left.
  return stopReason === "max_handoffs" || stopReason === "max_rounds" ? stopReason : undefined;
}

/** Whether the agent to begin with was chosen for want of a better one. */
function isUnsure({ type, data }: { readonly type: string; readonly data: unknown }): boolean {
  if (type !== "classification" || typeof data !== "object" || data === null) return false;
  return "low_confidence" in data && data.low_confidence === true;
}
