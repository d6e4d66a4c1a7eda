import type { RunId } from "../vocabulary/ids.ts";

/** A run that waits for its turn. */
export interface WaitingRun {
  readonly runId: RunId;
  readonly crew: string;
  /** 0 is the most urgent. Runs that were interrupted come before all queued ones. */
  readonly priority: number;
  /** Grows with each run that is queued. */
  readonly order: number;
  /** The earliest time to begin. */
  readonly dueAt: number;
  /** Who started it, if that is known. */
  readonly by: string | undefined;
}

/** Runs that wait for their turn, in order of priority and arrival. */
export class RunQueue {
  #waiting: WaitingRun[] = [];
  readonly #known = new Set<RunId>();

  get size(): number {
    return this.#waiting.length;
  }

  countOf(by: string): number {
    return this.#waiting.filter((run) => run.by === by).length;
  }

  has(runId: RunId): boolean {
    return this.#known.has(runId);
  }

  add(run: WaitingRun): void {
    if (this.#known.has(run.runId)) return;
    this.#known.add(run.runId);
    const at = this.#waiting.findIndex((other) => comesBefore(run, other));
    if (at === -1) this.#waiting.push(run);
    else this.#waiting.splice(at, 0, run);
  }

  remove(runId: RunId): void {
    if (!this.#known.delete(runId)) return;
    this.#waiting = this.#waiting.filter((run) => run.runId !== runId);
  }

  /** Takes the first run that is due. */
  take(now: number): WaitingRun | undefined {
    const run = this.#waiting.find(({ dueAt }) => dueAt <= now);
    if (run !== undefined) this.remove(run.runId);
    return run;
  }

  /** Whether a new run of this priority would overtake nobody. */
  isFirst(priority: number, now: number): boolean {
    return !this.#waiting.some((run) => run.dueAt <= now && run.priority <= priority);
  }

  /** When the next run is due; undefined if none waits for a time. */
  nextDue(now: number): number | undefined {
    const times = this.#waiting.flatMap(({ dueAt }) => (dueAt > now ? [dueAt] : []));
    return times.length === 0 ? undefined : Math.min(...times);
  }
}

function comesBefore(run: WaitingRun, other: WaitingRun): boolean {
  return run.priority < other.priority || (run.priority === other.priority && run.order < other.order);
}
