import type { DocumentWrite } from "../journal/store.ts";
import type { Blobs } from "../run/run-attachments.ts";
import type { RunLease } from "../run/run-core.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";

/** Combines two logs: new runs begin in the first, and runs that are found in the second, once there is one, continue there. */
export function combineLogs(first: RunLogs, findSecond: () => RunLogs | undefined): RunLogs {
  const findOwner = async (runId: RunId) => {
    const second = findSecond();
    return second !== undefined && (await second.read(runId)).length > 0 ? second : first;
  };
  return {
    begin: (runId, documents) => first.begin(runId, documents),
    takeUp: async (runId) => (await findOwner(runId)).takeUp(runId),
    read: async (runId) => (await findOwner(runId)).read(runId),
    openBlobs: async (runId) => (await findOwner(runId)).openBlobs(runId),
  };
}

/** Where the runs of a crew are stored: in a store, or in memory while they are paused. */
export interface RunLogs {
  /** Opens the log of a new run. The documents become durable together with its first event, or neither does. */
  begin(runId: RunId, documents?: readonly DocumentWrite[]): Promise<RunLog> | RunLog;
  /** Takes over the log of a run that nobody else has. Any other call is refused and changes nothing. */
  takeUp(runId: RunId): Promise<RunLog> | RunLog;
  /** The events of a run, whoever has it; empty if there is no such run. */
  read(runId: RunId): Promise<readonly BatonEvent[]> | readonly BatonEvent[];
  /** The bytes of the attachments of a run, whoever has it. */
  openBlobs(runId: RunId): Promise<Blobs> | Blobs;
}

/** The log of a run that this process owns. */
export interface RunLog {
  /** All events so far, including those that are still being written. */
  readonly events: readonly BatonEvent[];
  write(event: BatonEvent): void;
  /** Calls back with every written event, in order, as soon as it is durable. */
  onDurable(callback: (event: BatonEvent) => void): void;
  /** Resolves when everything written is durable; undefined if it already is. */
  durable(): Promise<void> | undefined;
  readonly lease: RunLease;
  /** The bytes of the run's attachments. */
  readonly blobs: Blobs;
  /** Releases the log once everything in it is durable. */
  close(): Promise<void> | undefined;
  /** Whether other processes can see the run. */
  readonly isShared: boolean;
  /** Calls back when another process asks the run to end. */
  onCancel(callback: (isGraceful: boolean) => void): void;
}
