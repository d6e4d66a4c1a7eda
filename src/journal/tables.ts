import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { EventRecord } from "./event-record.ts";
import type { HandoffQuery, HandoffRecord, StoredHandoff, StoredStatistics } from "./handoff-record.ts";
import type { RunRow } from "./run-row.ts";
import type { Lease, RunQuery, StoredDocument } from "./store.ts";
import type { WakeUps } from "./wake-ups.ts";

/** What a store within the process is made of: where its rows are, and what makes changes to them durable. */
export interface Tables<Row extends RunRow> {
  /** Who waits for runs, including those that other processes change. */
  readonly wakeUps: WakeUps;
  /**
   * Makes changes, all or none, and is done when they are durable. What `change` throws must
   * come before what it changes. `alone` may be tried instead, where nothing else is written.
   */
  write<Result>(change: () => Result, alone?: () => Result | undefined): Promise<Result>;
  /** Gives what `look` sees in one consistent state. */
  read<Result>(look: () => Result): Result;
  newRun(runId: RunId): Row;
  findRun(runId: RunId): Row | undefined;
  /** Puts `after` in the place of `before`, with the events that were added. */
  saveRun(before: Row, after: Row, added: readonly EventRecord[]): void;
  /** A shorter way to add one event to a run that goes on; undefined where it does not lead there, and nothing was done. */
  appendAlone(lease: Lease, record: EventRecord): true | undefined;
  events(row: Row, fromSeq: number): BatonEvent[];
  /** Says what is wrong where a run that is not found is there after all. */
  confirmAbsence(runId: RunId): void;
  /** Those that have begun, the newest first. */
  runs(query: RunQuery): RunRow[];
  findDocument(kind: string, key: string): StoredDocument | undefined;
  saveDocument(kind: string, key: string, text: string, version: number): void;
  documents(kind: string): StoredDocument[];
  saveHandoffs(runId: RunId, handoffs: readonly HandoffRecord[]): void;
  stats(query: HandoffQuery, limit: number): StoredStatistics;
  handoffs(query: HandoffQuery, limit: number): StoredHandoff[];
  forget(query: HandoffQuery): number;
  close(): Promise<void>;
}
