import type { RunLease } from "../run/run-core.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";

/** Where the runs of a crew are kept: in a store, or in memory while they are paused. */
export interface RunKeeper {
  /** Begins to keep a new run. */
  begin(runId: RunId): Promise<KeptRun> | KeptRun;
  /** Takes up a run that is kept, which nobody else has; anything else is refused, and changes nothing. */
  takeUp(runId: RunId): Promise<KeptRun> | KeptRun;
  /** The events of a run, whoever has it; none where there is no such run. */
  read(runId: RunId): Promise<readonly BatonEvent[]> | readonly BatonEvent[];
}

/** A run that is ours to write to. */
export interface KeptRun {
  /** What happened so far, what is written included. */
  readonly events: readonly BatonEvent[];
  write(event: BatonEvent): void;
  /** Calls back with every event that is written, in order, as soon as it is durable. */
  onDurable(callback: (event: BatonEvent) => void): void;
  /** Done when all that was written is durable; undefined where it is. */
  durable(): Promise<void> | undefined;
  readonly lease: RunLease;
  /** Lets the run go, when all of it is durable. */
  close(): Promise<void> | void;
  /** Whether other processes can see it. */
  readonly isShared: boolean;
  /** Calls back when somebody in another process wants the run to end. */
  onCancel(callback: (isGraceful: boolean) => void): void;
}
