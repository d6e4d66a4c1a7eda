import type { Store } from "../journal/store.ts";
import type { BeginOptions, BegunRun } from "../library/begin-stored.ts";
import type { GivenAnswer } from "../library/continue-runs.ts";
import type { CrewHandle } from "../library/crew-handle.ts";
import type { CrewInput } from "../runtime/bring-files.ts";
import type { ResumeOptions, RunOptions } from "../runtime/environment.ts";
import type { Fork } from "../runtime/fork-run.ts";
import type { RunHandle } from "../runtime/live-run.ts";
import type { RunResult } from "../views/run-result.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { Refusal } from "./problem.ts";
import type { ServedCrews } from "./served-crews.ts";

/** What runs are started and watched with in this process. */
export interface SupervisorOptions {
  readonly store: Store;
  readonly crews: ServedCrews;
  readonly maxRuns: number;
  /** Whether runs are continued that a server started and nobody has any more. */
  readonly recovers: boolean;
  readonly onEvent: (event: BatonEvent) => void;
  readonly onResult: (result: RunResult, by: string | undefined) => void;
  readonly note: (message: string) => void;
}

/** A run that was accepted. */
export interface AcceptedRun extends BegunRun {
  readonly isQueued: boolean;
}

/** Has runs started, continued and ended: in this process, or by workers. */
export interface Supervisor {
  /** How many runs this process has under way, and how many wait here for their turn. */
  readonly active: number;
  readonly queued: number;
  readonly isStopping: boolean;
  /** What becomes of a run that is continued. */
  readonly accepts: "running" | "queued";
  /** Whether the run is under way in this process. */
  isOurs(runId: RunId): boolean;
  /** The handle of a run that is under way in this process. */
  handleOf(runId: RunId): RunHandle | undefined;
  /**
   * Lets somebody start one more run, or throws a `Refusal`. Where nothing is asked of a database, nothing is waited for, so that requests
   * at once count each other.
   */
  admit(by: string, maxRuns: number): Promise<void> | undefined;
  /** Takes up what waits in the store, now and again later. */
  begin(): Promise<void>;
  /** Starts a run, or queues it. Resolves when it is stored. */
  start(crew: Pick<CrewHandle, "begin">, name: string, input: CrewInput, options: BeginOptions): Promise<AcceptedRun>;
  /** Answers a paused run. Resolves when the answer is accepted. */
  resume(crew: CrewHandle, runId: RunId, answer: GivenAnswer, options: ResumeOptions): Promise<RunHandle>;
  /** Continues a run that was interrupted, with the crew as it was. */
  recover(crew: CrewHandle, runId: RunId, options: ResumeOptions): Promise<RunHandle>;
  /** Applies the decision of a pause whose deadline has passed, with the crew as it was. */
  expire(crew: CrewHandle, runId: RunId, options: ResumeOptions): Promise<RunHandle>;
  /** Starts a run that shares the events of another one. */
  fork(crew: CrewHandle, runId: RunId, change: Fork, options: RunOptions): Promise<RunHandle>;
  /** Cancels a run, wherever it is. */
  cancel(crew: CrewHandle, runId: RunId, isGraceful: boolean): Promise<"cancelled" | "cancelling">;
  /** Refuses new runs, and lets turns under way finish within the time. */
  stop(graceMs: number): Promise<void>;
}

/** Refuses a token that has as many runs under way or queued as it may. */
export function refuseMore(by: string, count: number, maxRuns: number): void {
  if (count < maxRuns) return;
  throw new Refusal("rate-limited", `token '${by}' may have ${formatAmount(maxRuns, "run")} under way or queued`, {
    headers: { "Retry-After": "5" },
  });
}
