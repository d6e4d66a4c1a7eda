import type { EventOf, EventType } from "../events.ts";

/** The run's own time: what passes between its events, but not while it is paused. */
export interface Stopwatch {
  see(event: Pick<EventOf<EventType>, "type" | "ts">): void;
  ms(): number;
  /** When the newest event happened: what time it is, wherever the run goes over its journal again. */
  now(): number;
  /** Whether the newest event is one that nothing may follow but an answer. */
  isOver(): boolean;
  isPaused(): boolean;
}

const lastWords: ReadonlySet<EventType> = new Set(["run.paused", "run.completed", "run.failed", "run.cancelled"]);

export function createStopwatch(): Stopwatch {
  let total = 0;
  let last: { readonly type: EventType; readonly ts: number } | undefined;
  return {
    see(event) {
      if (last !== undefined && last.type !== "run.paused") total += Math.max(0, event.ts - last.ts);
      last = event;
    },
    ms: () => total,
    now: () => last?.ts ?? 0,
    isOver: () => last !== undefined && lastWords.has(last.type),
    isPaused: () => last?.type === "run.paused",
  };
}
