import type { BatonEvent } from "./events.ts";

/** How long nobody ran a run between two of its events: it was paused, its process was dead, or it was not forked yet. */
export function measureIdleMs(before: Pick<BatonEvent, "type" | "ts">, event: Pick<BatonEvent, "type" | "ts">): number {
  const isIdle = before.type === "run.paused" || event.type === "run.continued";
  return isIdle ? Math.max(0, event.ts - before.ts) : 0;
}

/** Shifts the events as if the run had never been idle. */
export function removeIdleTime(events: readonly BatonEvent[]): BatonEvent[] {
  let idle = 0;
  return events.map((event, index) => {
    idle += measureIdleMs(events[index - 1] ?? event, event);
    return { ...event, ts: event.ts - idle };
  });
}
