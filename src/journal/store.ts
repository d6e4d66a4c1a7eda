import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { HandoffQuery, HandoffRecord, StoredHandoff, StoredStatistics } from "./handoff-record.ts";

/**
 * Where runs are kept. Several processes may share one; a run has one owner at a time. Names (ids, owners, kinds, keys) with
 * a NUL or half a character are refused with `bad-name`.
 */
export interface Store {
  /**
   * Takes a run, new or known, for `leaseMs`: nobody else may write to it meanwhile. Refused with `run-owned` while
   * another owner's lease lasts; its own owner may take it again. Each time a run is taken its epoch grows, so that a
   * stale owner can be told.
   */
  take(runId: RunId, owner: string, leaseMs: number): Promise<Lease>;
  /** Keeps the run for `leaseMs` from now; refused with `stale-owner` where somebody else has taken it since. */
  renew(lease: Lease, leaseMs: number): Promise<void>;
  /** Lets others take the run at once, and ends the lease. One that is stale is none any more: nothing happens. */
  release(lease: Lease): Promise<void>;
  /**
   * Adds events, all or none, and is done when they are durable. Refused with `stale-owner`, with `out-of-order` where
   * their `seq` does not go on from what is there, and with `bad-event` where one is not the JSON of an event of this run.
   * A lease that ran out is good until somebody else takes the run. What is to be learned of a run that ends comes with its
   * end: either both are kept or neither.
   */
  append(lease: Lease, events: readonly BatonEvent[], handoffs?: readonly HandoffRecord[]): Promise<void>;
  /** The events of a run from `fromSeq` on, in order; none where there is no such run. */
  read(runId: RunId, fromSeq?: number): Promise<readonly BatonEvent[]>;
  /**
   * Events as they are added, those from `fromSeq` on first, until the run is paused or has ended, the signal is aborted or
   * the store is closed. A run that is not there is waited for.
   */
  tail(runId: RunId, fromSeq: number, signal: AbortSignal): AsyncIterable<BatonEvent>;
  /** Runs that have begun, the one that began last first. */
  list(query?: RunQuery): Promise<readonly StoredRun[]>;
  /** A small document, such as the copy of a crew or a day's spending. */
  get(kind: string, key: string): Promise<StoredDocument | undefined>;
  /** Writes a document if its version is still the one given (0: there is none yet); says whether it was. */
  put(kind: string, key: string, value: unknown, version: number): Promise<boolean>;
  /** All documents of a kind, in the order of their keys. */
  documents(kind: string): Promise<readonly StoredDocument[]>;
  /** Keeps handoffs of a run, each in the place of the one of the same event; refused with `unknown-run` where there is none. */
  learn(runId: RunId, handoffs: readonly HandoffRecord[]): Promise<void>;
  /** Statistics of the handoffs of all runs, with at most `limit` loops and `limit` unmatched inputs. */
  stats(query?: HandoffQuery, limit?: number): Promise<StoredStatistics>;
  /** Single handoffs: of each path at most so many, those of the runs that began last. */
  handoffs(query: HandoffQuery, limit: number): Promise<readonly StoredHandoff[]>;
  /** Drops handoffs, and says how many; the runs stay as they are. */
  forget(query: HandoffQuery): Promise<number>;
  /** Done when everything that was asked for is; whatever is asked for later is refused with `store-closed`. */
  close(): Promise<void>;
}

/** The right to write to a run. */
export interface Lease {
  readonly runId: RunId;
  readonly owner: string;
  readonly epoch: number;
}

export interface RunQuery {
  readonly status?: StoredRun["status"];
  readonly crew?: string;
  readonly limit?: number;
}

/** What a list of runs shows; kept up to date with each append. */
export interface StoredRun {
  readonly runId: RunId;
  readonly crew: string;
  readonly status: "running" | "paused" | "completed" | "failed" | "cancelled";
  /** The first 200 characters of its input. */
  readonly input: string;
  readonly startedAt: number;
  readonly updatedAt: number;
  /** How many events it has. */
  readonly events: number;
  /** Whether somebody holds it now. */
  readonly isOwned: boolean;
}

export interface StoredDocument {
  readonly key: string;
  readonly value: unknown;
  readonly version: number;
}
