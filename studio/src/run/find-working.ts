import { type BatonEvent, nameSpeaker } from "../../../src/vocabulary/events.ts";

/** Who has begun and not finished. */
export function findWorking(events: readonly BatonEvent[]): ReadonlySet<string> {
  const working = new Map<string, string>();
  for (const event of events) {
    if (event.type === "agent.started") working.set(event.path, nameSpeaker(event));
    else if (event.type === "agent.completed" || event.type === "agent.failed") working.delete(event.path);
    else if (event.type === "run.completed" || event.type === "run.failed" || event.type === "run.cancelled")
      working.clear();
  }
  return new Set(working.values());
}
