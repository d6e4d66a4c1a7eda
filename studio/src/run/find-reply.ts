import type { BatonEvent, EventOf } from "../../../src/vocabulary/events.ts";

/** Finds how a model call ended. Each attempt has a place of its own. */
export function findReply(
  call: EventOf<"model.called">,
  events: readonly BatonEvent[],
): EventOf<"model.completed"> | EventOf<"model.failed"> | undefined {
  for (const event of events) {
    if ((event.seq ?? 0) <= (call.seq ?? 0) || event.path !== call.path) continue;
    if (event.type === "model.completed" || event.type === "model.failed") return event;
  }
  return undefined;
}
