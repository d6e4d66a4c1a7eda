import type { BatonEvent, EventType } from "../vocabulary/events.ts";

const last: ReadonlySet<EventType> = new Set(["run.paused", "run.completed", "run.failed", "run.cancelled"]);

/** Whether a run that ends with this event waits for an answer or has ended. */
export function isAtRest({ type }: Pick<BatonEvent, "type">): boolean {
  return last.has(type);
}
