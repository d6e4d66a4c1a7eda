import type { BatonEvent } from "../vocabulary/events.ts";
import type { Verdict } from "./handoff-records.ts";

/** Why nobody seems to have fitted a run's input; undefined where somebody did. */
export function findGap(events: readonly BatonEvent[], verdict: Verdict | undefined): string | undefined {
  // The agent to begin with was chosen for want of a better one.
  if (events.some(({ type, data }) => type === "classification" && data.low_confidence === true))
    return "low_confidence";
  if (verdict === "bad") return "feedback";
  if (events.some((event) => event.type === "run.paused" && event.data.reason === "no_signal")) return "no_signal";
  const last = events.at(-1);
  const stopReason = last?.type === "run.completed" ? last.data.stopReason : undefined;
  // Everybody passed it on until no handoff was left.
  return stopReason === "max_handoffs" || stopReason === "max_rounds" ? stopReason : undefined;
}
