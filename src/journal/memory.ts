import type { RunId } from "../vocabulary/ids.ts";
import type { HandoffRecord } from "./handoff-record.ts";
import type { StoredMemory } from "./memory-entry.ts";
import type { RunRow } from "./run-row.ts";
import type { WakeUps } from "./wake-ups.ts";

/** What a store in memory keeps. Several stores may share it. It is gone when the process ends. */
export interface Memory {
  readonly runs: Map<RunId, StoredInMemory>;
  readonly documents: Map<string, Map<string, { readonly text: string; readonly version: number }>>;
  readonly handoffs: Map<RunId, Map<number, HandoffRecord>>;
  readonly memories: Map<string, StoredMemory>;
  readonly blobs: Map<string, Uint8Array>;
  readonly blobsOfRuns: Map<RunId, Set<string>>;
  readonly wakeUps: WakeUps;
}

/** Events are stored as JSON, as in every other store, so that runs in memory behave the same. */
interface StoredInMemory {
  row: RunRow;
  readonly texts: string[];
}
