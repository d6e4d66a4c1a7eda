import type { EventOf, EventType } from "../vocabulary/events.ts";
import { measureIdleMs } from "../vocabulary/idle-time.ts";
import type { Clock } from "./clock.ts";

const lastWords: ReadonlySet<EventType> = new Set(["run.paused", "run.completed", "run.failed", "run.cancelled"]);

/** The run's own time: what passes between its events, but not while nobody runs it. */
export class Stopwatch {
  readonly #clock: Clock;
  #total = 0;
  #last: { readonly type: EventType; readonly ts: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  see(event: Pick<EventOf<EventType>, "type" | "ts">): void {
    const last = this.#last;
    if (last !== undefined) this.#total += Math.max(0, event.ts - last.ts) - measureIdleMs(last, event);
    this.#last = event;
  }

  ms(): number {
    return this.#total;
  }

  /** When the newest event happened: what time it is, wherever the run replays its journal. */
  now(): number {
    return this.#last?.ts ?? this.#clock.now();
  }

  /** Whether the newest event is one that nothing may follow but an answer. */
  isOver(): boolean {
    return this.#last !== undefined && lastWords.has(this.#last.type);
  }

  isPaused(): boolean {
    return this.#last?.type === "run.paused";
  }
}
