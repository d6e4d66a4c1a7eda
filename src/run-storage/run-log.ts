import type { RunLease } from "../run/run-core.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";

/** Where the runs of a crew are stored: in a store, or in memory while they are paused. */
export interface RunLogs {
  /** Opens the log of a new run. */
  begin(runId: RunId): Promise<RunLog> | RunLog;
  /** Takes the log of a run that nobody else has. Anything else is refused, and changes nothing. */
  takeUp(runId: RunId): Promise<RunLog> | RunLog;
  /** The events of a run, whoever has it; none where there is no such run. */
  read(runId: RunId): Promise<readonly BatonEvent[]> | readonly BatonEvent[];
}

/** The events of a run that is ours to write to. */
export interface RunLog {
  /** What happened so far, what is written included. */
  readonly events: readonly BatonEvent[];
  write(event: BatonEvent): void;
  /** Calls back with every event that is written, in order, as soon as it is durable. */
  onDurable(callback: (event: BatonEvent) => void): void;
  /** Resolves when all that was written is durable; undefined where it is. */
  durable(): Promise<void> | undefined;
  readonly lease: RunLease;
  /** Gives the log up, when all of it is durable. */
  close(): Promise<void> | undefined;
  /** Whether other processes can see it. */
  readonly isShared: boolean;
  /** Calls back when another process asks the run to end. */
  onCancel(callback: (isGraceful: boolean) => void): void;
}
