import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { HandoffQuery, HandoffRecord, StoredHandoff, StoredStatistics } from "./handoff-record.ts";
import type {
  FoundMemory,
  MemoryEntry,
  MemoryQuery,
  RecallQuery,
  RememberedEntry,
  StoredMemory,
} from "./memory-entry.ts";

/**
 * Where runs are stored. Several processes may share a store, and a run has one owner at a time. Names (ids, owners, kinds,
 * keys) with a NUL or half of a surrogate pair are refused with `bad-name`. Every method may reject with a `StoreErrorCode`, such as
 * `store-busy` or `store-closed`.
 */
export interface Store {
  /**
   * Takes a new or existing run for `leaseMs`. Nobody else may write to it meanwhile. It is refused with `run-owned` while
   * another owner's lease lasts; the same owner may take it again. The epoch grows each time the run is taken, so that a stale
   * owner can be detected.
   */
  take(runId: RunId, owner: string, leaseMs: number): Promise<Lease>;
  /** Extends the lease to `leaseMs` from now. It is refused with `stale-owner` if somebody else has taken the run. */
  renew(lease: Lease, leaseMs: number): Promise<void>;
  /** Ends the lease, so that others can take the run at once. A stale lease is ignored. */
  release(lease: Lease): Promise<void>;
  /**
   * Adds all of the events or none of them, and resolves when they are durable. It is refused with `stale-owner`, with
   * `out-of-order` if their `seq` does not continue that of the stored events, and with `bad-event` if an event is not the JSON
   * of an event of this run. An expired lease is valid until somebody else takes the run. The handoffs of an ended run come
   * with its last event, and documents may come with any event: either all of it is stored or nothing. It is refused with
   * `document-changed` if a document does not have the given version any more.
   */
  append(
    lease: Lease,
    events: readonly BatonEvent[],
    handoffs?: readonly HandoffRecord[],
    documents?: readonly DocumentWrite[],
  ): Promise<void>;
  /** The events of a run from `fromSeq` on, in order, and at most `limit` of them; empty if there is no such run. */
  read(runId: RunId, fromSeq?: number, limit?: number): Promise<readonly BatonEvent[]>;
  /**
   * First the stored events from `fromSeq` on, then new ones as they are added, until the run pauses or ends, the signal is
   * aborted or the store is closed. It waits for a run that does not exist yet.
   */
  tail(runId: RunId, fromSeq: number, signal: AbortSignal): AsyncIterable<BatonEvent>;
  /**
   * Deletes a run with its events, large texts, handoffs and bytes, all of it or nothing. Resolves to whether there was such a run;
   * of one that never began, the bytes are deleted. It is refused with `run-owned` while somebody holds the run. Afterwards the run has not begun, and earlier leases stay stale.
   */
  remove(runId: RunId): Promise<boolean>;
  /** Runs that have begun, newest first. */
  list(query?: RunQuery): Promise<readonly StoredRun[]>;
  /** A small document, such as the copy of a crew or a day's spending. */
  get(kind: string, key: string): Promise<StoredDocument | undefined>;
  /**
   * Writes a document if its version is still the given one (0: it does not exist yet). Resolves to whether it was written.
   * A value that is not plain JSON is refused with `bad-document`.
   */
  put(kind: string, key: string, value: unknown, version: number): Promise<boolean>;
  /** Deletes a document, whatever its version. Resolves to whether it existed. */
  drop(kind: string, key: string): Promise<boolean>;
  /** The kinds of documents that there are, in alphabetical order. */
  kinds(): Promise<readonly string[]>;
  /** All documents of a kind, in the order of their keys. */
  documents(kind: string): Promise<readonly StoredDocument[]>;
  /**
   * Stores handoffs of a run. Each replaces the stored one of the same event. It is refused with `unknown-run` if there is no
   * such run, and with `bad-handoff` if a figure cannot be stored.
   */
  learn(runId: RunId, handoffs: readonly HandoffRecord[]): Promise<void>;
  /** Statistics of the handoffs of all runs, with at most `limit` loops and `limit` unmatched inputs. */
  stats(query?: HandoffQuery, limit?: number): Promise<StoredStatistics>;
  /** Single handoffs: at most `limit` for each path, those of the newest runs. */
  handoffs(query: HandoffQuery, limit: number): Promise<readonly StoredHandoff[]>;
  /** Deletes handoffs and resolves to their number. The runs stay as they are. */
  forget(query: HandoffQuery): Promise<number>;
  /**
   * Stores an entry of memory. If its scope has the same text already, that entry gets the new tags and times and stays the
   * only one. Entries that it supersedes are marked, and beyond `maxEntries` the oldest of the scope are deleted, all at once.
   */
  remember(entry: MemoryEntry, maxEntries?: number): Promise<RememberedEntry>;
  /** Searches the entries of one scope. Entries of other scopes are never found. */
  recall(query: RecallQuery): Promise<readonly FoundMemory[]>;
  /** Lists entries, newest first, also those that are superseded or expired. */
  memories(query?: MemoryQuery): Promise<readonly StoredMemory[]>;
  /** Deletes entries and resolves to their number. */
  eraseMemories(query: MemoryQuery): Promise<number>;
  /**
   * Stores bytes that a run refers to, once for all runs by the SHA-256 of their content, to which it resolves (64 hexadecimal
   * digits). They are durable then, and removing the last run that refers to them removes them.
   */
  saveBlob(runId: RunId, bytes: Uint8Array): Promise<string>;
  /** The bytes with that SHA-256; undefined if there are none. Bytes that no longer have it are refused with `store-damaged`. */
  readBlob(sha256: string): Promise<Uint8Array | undefined>;
  /** The SHA-256 of all bytes that a run refers to, in alphabetical order. */
  listBlobs(runId: RunId): Promise<readonly string[]>;
  /** Resolves when all calls are done. Later calls are refused with `store-closed`. */
  close(): Promise<void>;
}

/** The right to write to a run. */
export interface Lease {
  readonly runId: RunId;
  readonly owner: string;
  readonly epoch: number;
}

/** Filters for runs. A run must match all that are given. */
export interface RunQuery {
  readonly status?: StoredRun["status"];
  /** The name of a crew, or several names. */
  readonly crew?: string | readonly string[];
  /** For whom the run was started. */
  readonly user?: string;
  /** The conversation that the run continues. */
  readonly conversation?: string;
  /** Only runs that come after this one in the list. The run may have been removed; if it never began, nothing comes after it. */
  readonly after?: RunId;
  readonly limit?: number;
}

/** What a list of runs shows. Each append updates it. */
export interface StoredRun {
  readonly runId: RunId;
  readonly crew: string;
  readonly status: "queued" | "running" | "paused" | "completed" | "failed" | "cancelled";
  /** The first 200 characters of its input. */
  readonly input: string;
  /** For whom it was started, and the conversation that it continues, if it has them. */
  readonly user?: string;
  readonly conversation?: string;
  readonly startedAt: number;
  readonly updatedAt: number;
  /** The number of its events. */
  readonly events: number;
  /** Whether somebody holds it now. */
  readonly isOwned: boolean;
}

/** A document that is written if its version is still the given one (0: it does not exist yet). */
export interface DocumentWrite {
  readonly kind: string;
  readonly key: string;
  readonly value: unknown;
  readonly version: number;
}

/** A document in a store. Its version grows with each write. */
export interface StoredDocument {
  readonly key: string;
  readonly value: unknown;
  readonly version: number;
}
