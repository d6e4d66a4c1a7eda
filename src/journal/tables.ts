import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { EventRecord } from "./event-record.ts";
import type { HandoffQuery, HandoffRecord, StoredHandoff, StoredStatistics } from "./handoff-record.ts";
import type { FoundMemory, MemoryEntry, MemoryQuery, RecallQuery, StoredMemory } from "./memory-entry.ts";
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
  /** At most `limit` events. */
  events(row: Row, fromSeq: number, limit?: number): BatonEvent[];
  /** Throws if a run that was not found exists after all. */
  confirmAbsence(runId: RunId): void;
  /** The runs that have begun, newest first. */
  runs(query: RunQuery): RunRow[];
  findDocument(kind: string, key: string): StoredDocument | undefined;
  saveDocument(kind: string, key: string, text: string, version: number): void;
  dropDocument(kind: string, key: string): void;
  documents(kind: string): StoredDocument[];
  /** The kinds of documents, in any order. */
  kinds(): string[];
  saveHandoffs(runId: RunId, handoffs: readonly HandoffRecord[]): void;
  stats(query: HandoffQuery, limit: number): StoredStatistics;
  handoffs(query: HandoffQuery, limit: number): StoredHandoff[];
  forget(query: HandoffQuery): number;
  readonly memories: MemoryTable;
  readonly blobs: BlobTable;
  close(): Promise<void>;
}

/** The entries of memory. */
export interface MemoryTable {
  /** The entry of the scope with this text. */
  findText(scope: string, text: string): StoredMemory | undefined;
  /** Adds an entry, or replaces the one of the same id. */
  save(entry: StoredMemory): void;
  count(scope: string): number;
  list(query: MemoryQuery): StoredMemory[];
  /** The oldest entries of the scope. */
  oldest(scope: string, limit: number): readonly Pick<MemoryEntry, "id">[];
  erase(query: MemoryQuery): number;
  /** Entries that are neither expired at `now` nor superseded, best first. */
  search(query: RecallQuery, now: number): FoundMemory[];
}

/** Bytes by the hash of their content. */
export interface BlobTable {
  save(runId: RunId, sha256: string, bytes: Uint8Array): void;
  find(sha256: string): Uint8Array | undefined;
  list(runId: RunId): string[];
  /** Removes what only this run refers to. */
  removeRun(runId: RunId): void;
}
