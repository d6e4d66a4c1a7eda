import { createHash } from "node:crypto";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { StoreProgress } from "./check-store.ts";
import type { StoredMemory } from "./memory-entry.ts";
import type { Lease, Store } from "./store.ts";

/** What a copy consists of. What the other store had already, from an earlier attempt, is counted as skipped. */
export interface StoreCopy {
  readonly runs: number;
  readonly events: number;
  readonly documents: number;
  readonly handoffs: number;
  readonly memories: number;
  readonly blobs: number;
  readonly skippedRuns: number;
}

/** The tables of all kinds of stores, each with what it is copied by, if it is. A table that is not here would be forgotten. */
export const copiedTables: Readonly<
  Record<string, "runs" | "documents" | "handoffs" | "memories" | "blobs" | "format" | "nothing">
> = {
  runs: "runs",
  labels: "runs",
  events: "runs",
  texts: "runs",
  documents: "documents",
  paths: "handoffs",
  handoffs: "handoffs",
  memories: "memories",
  memory_terms: "memories",
  memory_words: "memories",
  blobs: "blobs",
  blobs_of_runs: "blobs",
  format: "format",
  // Who works on a database now, and how often. A copy begins without workers.
  workers: "nothing",
  counters: "nothing",
};

const LEASE_MS = 60_000;
/** How many events go into one append. */
const BATCH = 500;

/**
 * Copies everything from one store into another, and verifies it by checksum. Nothing that the other store has is changed, so that a
 * copy that was interrupted can be made again. Rejects with a `BatonError`: `run-active` while somebody is running a run,
 * `store-differs` if something is different in both stores, or a `StoreErrorCode`.
 */
export async function copyStore(from: Store, to: Store, { onRun = () => {} }: StoreProgress = {}): Promise<StoreCopy> {
  const runs = (await from.list()).toReversed();
  const owner = `copy.${crypto.randomUUID()}`;
  let [events, blobs, skippedRuns] = [0, 0, 0];
  for (const [index, { runId }] of runs.entries()) {
    const added = await whileHeld({ from, to, owner }, runId, (lease) => copyRun(from, to, runId, lease));
    blobs += await copyBlobs(from, to, runId);
    events += added;
    if (added === 0) skippedRuns++;
    onRun(index + 1, runs.length);
  }
  const handoffs = await copyHandoffs(from, to);
  const documents = await copyDocuments(from, to);
  const memories = await copyMemories(from, to);
  return { runs: runs.length, events, documents, handoffs, memories, blobs, skippedRuns };
}

interface Copying {
  readonly from: Store;
  readonly to: Store;
  readonly owner: string;
}

/**
 * Holds the run in both stores. The epoch in the other store becomes at least as great, since services that tools call may have been
 * given it.
 */
async function whileHeld<Result>(
  { from, to, owner }: Copying,
  runId: RunId,
  go: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const source = await take(from, runId, owner);
  try {
    let target = await take(to, runId, owner);
    while (target.epoch < source.epoch) target = await to.take(runId, owner, LEASE_MS);
    try {
      return await go(target);
    } finally {
      await to.release(target);
    }
  } finally {
    await from.release(source);
  }
}

async function take(store: Store, runId: RunId, owner: string): Promise<Lease> {
  try {
    return await store.take(runId, owner, LEASE_MS);
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "run-owned") throw error;
    const message = `run '${runId}' is being run: wait until it pauses or ends, or stop its process; then copy again, which goes on where this copy stopped`;
    throw new BatonError("run-active", message, { cause: error });
  }
}

/** Resolves to the number of events that were added. */
async function copyRun(from: Store, to: Store, runId: RunId, lease: Lease): Promise<number> {
  const events = await from.read(runId);
  const there = await to.read(runId);
  const isBeginning = hashEvents(there) === hashEvents(events.slice(0, there.length));
  if (there.length > events.length || !isBeginning) throw explainDifference(`run '${runId}'`);
  for (let at = there.length; at < events.length; at += BATCH) {
    await to.renew(lease, LEASE_MS);
    await to.append(lease, events.slice(at, at + BATCH));
  }
  if (hashEvents(await to.read(runId)) !== hashEvents(events)) throw explainDifference(`run '${runId}'`);
  return events.length - there.length;
}

function hashEvents(events: readonly BatonEvent[]): string {
  const hash = createHash("sha256");
  for (const event of events) hash.update(JSON.stringify(event)).update("\n");
  return hash.digest("hex");
}

/** Stores name bytes by the hash of their content, and check it. */
async function copyBlobs(from: Store, to: Store, runId: RunId): Promise<number> {
  const there = new Set(await to.listBlobs(runId));
  const missing = (await from.listBlobs(runId)).filter((sha256) => !there.has(sha256));
  for (const sha256 of missing) {
    const bytes = await from.readBlob(sha256);
    if (bytes === undefined)
      throw new BatonError("store-damaged", `the bytes ${sha256} of run '${runId}' are missing in the first store`);
    await to.saveBlob(runId, bytes);
  }
  return missing.length;
}

/** A handoff replaces the one of the same event, so that copying twice adds nothing. */
async function copyHandoffs(from: Store, to: Store): Promise<number> {
  const handoffs = await from.handoffs({}, Number.MAX_SAFE_INTEGER);
  for (const [runId, ofRun] of Map.groupBy(handoffs, (each) => each.runId)) await to.learn(runId, ofRun);
  const copied = new Map(
    (await to.handoffs({}, Number.MAX_SAFE_INTEGER)).map((each) => [`${each.runId} ${each.seq}`, each]),
  );
  for (const handoff of handoffs)
    if (!isSame(copied.get(`${handoff.runId} ${handoff.seq}`), handoff))
      throw explainDifference(`a handoff of run '${handoff.runId}'`);
  return handoffs.length;
}

async function copyDocuments(from: Store, to: Store): Promise<number> {
  let count = 0;
  for (const kind of await from.kinds()) {
    for (const { key, value } of await from.documents(kind)) {
      if (!(await to.put(kind, key, value, 0)) && !isSame((await to.get(kind, key))?.value, value))
        throw explainDifference(`document '${key}' of kind '${kind}'`);
      count++;
    }
  }
  return count;
}

/** Whether two values are the same as JSON, whatever the order of their keys. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, sortKeys) === JSON.stringify(other, sortKeys);
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The oldest first, as they were remembered. */
async function copyMemories(from: Store, to: Store): Promise<number> {
  const entries = (await from.memories()).toReversed();
  const ids = new Set(entries.map(({ id }) => id));
  for (const { supersededBy, ...entry } of entries) {
    const [there] = await to.memories({ scope: entry.scope, id: entry.id });
    if (there !== undefined) continue;
    await to.remember(entry);
    if (supersededBy !== undefined && !ids.has(supersededBy)) await markSuperseded(to, entry, supersededBy);
  }
  const copied = new Map((await to.memories()).map((each) => [each.id, each]));
  for (const entry of entries)
    if (!isSame(copied.get(entry.id), entry)) throw explainDifference(`memory '${entry.id}' of ${entry.scope}`);
  return entries.length;
}

/** The entry that says otherwise is gone, and the older one stays superseded. */
async function markSuperseded(to: Store, entry: Omit<StoredMemory, "supersededBy">, by: string): Promise<void> {
  const { scope, runId, path, at } = entry;
  await to.remember({
    id: by,
    scope,
    text: `copy of ${by}`,
    terms: "",
    tags: [],
    runId,
    path,
    at,
    supersedes: [entry.id],
  });
  await to.eraseMemories({ scope, id: by });
}

function explainDifference(what: string): BatonError {
  return new BatonError(
    "store-differs",
    `${what} is different in the two stores, and was left as it is: copy into an empty store (another folder, or another schema)`,
  );
}
