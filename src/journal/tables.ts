import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { EventRecord } from "./event-record.ts";
import type { HandoffQuery, HandoffRecord, StoredHandoff, StoredStatistics } from "./handoff-record.ts";
import type { RunRow } from "./run-row.ts";
import type { Lease, RunQuery, StoredDocument } from "./store.ts";
import type { WakeUps } from "./wake-ups.ts";

/** What a store in this process consists of: its rows, and how changes to them become durable. */
export interface Tables<Row extends RunRow> {
  /** Readers that wait for runs, including runs that other processes change. */
  readonly wakeUps: WakeUps;
  /**
   * Makes all of the changes or none of them, and resolves when they are durable. `change` must throw before it changes
   * anything. `alone` may be tried instead if there is nothing else to write.
   */
  write<Result>(change: () => Result, alone?: () => Result | undefined): Promise<Result>;
  /** Returns what `look` sees, in one consistent state. */
  read<Result>(look: () => Result): Result;
  newRun(runId: RunId): Row;
  findRun(runId: RunId): Row | undefined;
  /** Replaces `before` with `after` and stores the added events. */
  saveRun(before: Row, after: Row, added: readonly EventRecord[]): void;
  /** A faster way to add one event to a running run. It returns undefined if the way does not apply; then nothing was done. */
  appendAlone(lease: Lease, record: EventRecord): true | undefined;
  /** Deletes the events, large texts and handoffs of a run, and replaces its row. */
  removeRun(before: Row, after: Row): void;
  events(row: Row, fromSeq: number): BatonEvent[];
  /** Throws if a run that was not found exists after all. */
  confirmAbsence(runId: RunId): void;
  /** The runs that have begun, newest first. */
  runs(query: RunQuery): RunRow[];
  findDocument(kind: string, key: string): StoredDocument | undefined;
  saveDocument(kind: string, key: string, text: string, version: number): void;
  dropDocument(kind: string, key: string): void;
  documents(kind: string): StoredDocument[];
  saveHandoffs(runId: RunId, handoffs: readonly HandoffRecord[]): void;
  stats(query: HandoffQuery, limit: number): StoredStatistics;
  handoffs(query: HandoffQuery, limit: number): StoredHandoff[];
  forget(query: HandoffQuery): number;
  close(): Promise<void>;
}
