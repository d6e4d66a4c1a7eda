import type { EventOf, EventType } from "../events.ts";

/** The run's own time: what passes between its events, but not while it is paused. */
export interface Stopwatch {
  see(event: Pick<EventOf<EventType>, "type" | "ts">): void;
  ms(): number;
  isPaused(): boolean;
}

export function createStopwatch(): Stopwatch {
  let total = 0;
  let last: { readonly type: EventType; readonly ts: number } | undefined;
  return {
    see(event) {
      if (last !== undefined && last.type !== "run.paused") total += Math.max(0, event.ts - last.ts);
      last = event;
    },
    ms: () => total,
    isPaused: () => last?.type === "run.paused",
  };
}
