import { BatonError } from "../vocabulary/errors.ts";
import type { Store } from "./store.ts";

/** How a long check or copy is watched. */
export interface StoreProgress {
  /** Called after each run. */
  onRun?(done: number, all: number): void;
}

/** What was read of a store, and what is wrong with it. */
export interface StoreCheck {
  readonly runs: number;
  readonly events: number;
  readonly documents: number;
  readonly memories: number;
  readonly blobs: number;
  readonly problems: readonly string[];
}

/**
 * Reads everything in a store, which verifies the checksums of all events, documents, memories and bytes. Rejects with a
 * `BatonError` whose code is a `StoreErrorCode`.
 */
export async function checkStore(store: Store, { onRun = () => {} }: StoreProgress = {}): Promise<StoreCheck> {
  const problems: string[] = [];
  /** Reads something; damage is noted, and the rest is read, too. */
  const look = async <Value>(read: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof BatonError) || error.code !== "store-damaged") throw error;
      problems.push(error.message);
      return undefined;
    }
  };
  const runs = (await look(() => store.list())) ?? [];
  let [events, documents, blobs] = [0, 0, 0];
  for (const [index, { runId }] of runs.entries()) {
    events += (await look(() => store.read(runId)))?.length ?? 0;
    for (const sha256 of (await look(() => store.listBlobs(runId))) ?? []) {
      blobs++;
      const before = problems.length;
      const bytes = await look(() => store.readBlob(sha256));
      if (bytes === undefined && problems.length === before)
        problems.push(`the bytes ${sha256} of run '${runId}' are missing`);
    }
    onRun(index + 1, runs.length);
  }
  for (const kind of (await look(() => store.kinds())) ?? [])
    documents += (await look(() => store.documents(kind)))?.length ?? 0;
  const memories = (await look(() => store.memories()))?.length ?? 0;
  return { runs: runs.length, events, documents, memories, blobs, problems };
}
