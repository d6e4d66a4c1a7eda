import type { RunResult } from "../views/run-result.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { Paused } from "../vocabulary/pause.ts";

export function describeLeaving(graceMs: number): string {
  return `stopping: the turn under way has ${graceMs / 1000} s to finish`;
}

/** How a run is shown while it is under way. */
export interface RunView {
  /** Takes in what happened before the run was continued, and shows nothing of it. Only some views need that. */
  recall?(past: readonly BatonEvent[]): void;
  show(event: BatonEvent): void;
  /** Says that the run will stop after the turn under way. */
  stopping(): void;
  /** Says that the run will leave this process after the turn under way, or after so long. */
  leaving(graceMs: number): void;
  /** What a person says to a pause; undefined where nobody answers, or nobody is asked any more. */
  ask(paused: Paused, abort: AbortSignal): Promise<string | undefined>;
  /** Says why an answer will not do. */
  refuse(message: string): void;
  /** Leaves the terminal as it was, and shows the result of the run, if there is one. */
  close(result: RunResult | undefined): void;
}
