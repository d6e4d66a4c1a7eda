import type { BatonEvent } from "./events.ts";

/** How long nobody ran a run between one of its events and the next: it was paused, its process was dead, or it was not forked yet. */
export function idleMs(before: Pick<BatonEvent, "type" | "ts">, event: Pick<BatonEvent, "type" | "ts">): number {
  const isIdle = before.type === "run.paused" || event.type === "run.continued";
  return isIdle ? Math.max(0, event.ts - before.ts) : 0;
}
