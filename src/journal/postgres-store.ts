import type { ClientBase } from "pg";
import type { Clock } from "../run/clock.ts";
import { BatonError, explainUnknownRun } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { checkName } from "./check-name.ts";
import { toRecords } from "./event-record.ts";
import { checkEntry } from "./memory-methods.ts";
import { appendWithDocuments } from "./postgres-append-documents.ts";
import { createPostgresAppends, type PostgresAppends } from "./postgres-appends.ts";
import { createPostgresBlobs } from "./postgres-blobs.ts";
import { connectPostgres, type PostgresDatabase } from "./postgres-database.ts";
import { createPostgresDocuments } from "./postgres-documents.ts";
import { readEvents } from "./postgres-events.ts";
import { createPostgresFollowers, type Follower, type PostgresFollowers } from "./postgres-followers.ts";
import { prepareSchema } from "./postgres-format.ts";
import { createPostgresHandoffs } from "./postgres-handoffs.ts";
import { createHeldRuns, type HeldRuns } from "./postgres-held-runs.ts";
import { createPostgresMemories } from "./postgres-memories.ts";
import type { PostgresStoreOptions } from "./postgres-options.ts";
import { type PostgresPort, setPostgresPort } from "./postgres-port.ts";
import { createPostgresRuns, type PostgresRuns } from "./postgres-runs.ts";
import { checkLease, isAtRest, toStoredRun } from "./run-row.ts";
import type { Lease, Store, StoredRun } from "./store.ts";
import { checkHandoffs, clampFirst, clampLimit, SHOWN_ROWS, toDocumentText } from "./table-store.ts";

/** Opens the store; undefined if there is none and `mayCreate` is false. `open-postgres-store.ts` says what it rejects with. */
export async function openInPostgres(
  url: string,
  options: PostgresStoreOptions,
  mayCreate: boolean,
): Promise<Store | undefined> {
  const database = await connectPostgres(url, options);
  try {
    if (await prepareSchema(database, mayCreate)) return createPostgresStore(database, options.clock);
  } catch (error) {
    await database.close();
    throw error;
  }
  await database.close();
  return undefined;
}

/** What the methods of the store share. */
interface Parts {
  readonly database: PostgresDatabase;
  readonly runs: PostgresRuns;
  readonly held: HeldRuns;
  readonly appends: PostgresAppends;
  readonly followers: PostgresFollowers;
  readonly port: PostgresPort;
  readonly clockNow: () => number | null;
  /** Refuses calls on a closed store, and lets closing wait for all others. */
  during<Result>(go: () => Promise<Result>): Promise<Result>;
  isClosed(): boolean;
}

function createPostgresStore(database: PostgresDatabase, clock: Pick<Clock, "now"> | undefined): Store {
  const clockNow = () => clock?.now() ?? null;
  const runs = createPostgresRuns(database, clockNow);
  const held = createHeldRuns();
  const followers = createPostgresFollowers(database, clockNow, (runId) => held.rows.has(runId));
  const appends = createPostgresAppends({ database, runs, held, clockNow, onFollowed: followers.notify });
  const port: PostgresPort = { database, onQueued: undefined, onClose: undefined };
  const pending = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const parts: Parts = {
    ...{ database, runs, held, appends, followers, port, clockNow },
    isClosed: () => closing !== undefined,
    async during(go) {
      if (closing !== undefined) throw new BatonError("store-closed", "the store is closed");
      const call = go();
      pending.add(call);
      try {
        return await call;
      } finally {
        pending.delete(call);
      }
    },
  };
  const store: Store = {
    ...createRunMethods(parts),
    ...createDocumentMethods(parts),
    ...createHandoffMethods(parts),
    ...createMemoryMethods(parts),
    ...createBlobMethods(parts),
    tail: (runId, fromSeq, signal) => tailRun(parts, runId, clampFirst(fromSeq), signal),
    close() {
      closing ??= (async () => {
        await Promise.allSettled([...pending]);
        await port.onClose?.();
        await appends.settled();
        followers.close();
        await database.close();
      })();
      return closing;
    },
  };
  setPostgresPort(store, port);
  return store;
}

type RunMethods = Pick<Store, "take" | "renew" | "release" | "append" | "read" | "remove" | "list">;
type DocumentMethods = Pick<Store, "get" | "put" | "drop" | "kinds" | "documents">;
type MemoryMethods = Pick<Store, "remember" | "recall" | "memories" | "eraseMemories">;
type BlobMethods = Pick<Store, "saveBlob" | "readBlob" | "listBlobs">;
type HandoffMethods = Pick<Store, "learn" | "stats" | "handoffs" | "forget">;

function createRunMethods({ database, runs, held, appends, followers, port, clockNow, during }: Parts): RunMethods {
  const inTurn = takeTurns<RunId>();
  return {
    take: (runId, owner, leaseMs) =>
      during(async (): Promise<Lease> => {
        checkName(runId, "run");
        checkName(owner, "owner");
        checkLease(leaseMs);
        const since = performance.now();
        const run = await inTurn(runId, () => runs.take(runId, owner, leaseMs));
        held.hold(run, leaseMs, since);
        return { runId, owner, epoch: run.epoch };
      }),
    renew: (lease, leaseMs) =>
      during(async () => {
        checkLease(leaseMs);
        const since = performance.now();
        await runs.renew(lease, leaseMs, held.safeUntil(lease));
        held.extend(lease, leaseMs, since);
      }),
    release: (lease) =>
      during(async () => {
        held.drop(lease);
        await runs.release(lease);
      }),
    append: (lease, events, handoffs = [], documents = []) =>
      during(async () => {
        const records = toRecords(lease.runId, events);
        checkHandoffs(handoffs);
        const within = dispatchLast(port, events);
        if (documents.length === 0 && within === undefined) await appends.append(lease, records, handoffs);
        else {
          await appends.settled();
          const all = { lease, records, handoffs, documents, within };
          const run = await appendWithDocuments(database, all, clockNow(), held.safeUntil(lease));
          if (run !== undefined) held.note(run);
        }
        followers.wake(lease.runId);
      }),
    read: (runId, fromSeq = 0, limit = Number.POSITIVE_INFINITY) =>
      during(async (): Promise<readonly BatonEvent[]> => {
        return (await readEvents(database, runId, clampFirst(fromSeq), clampLimit(limit))).events;
      }),
    remove: (runId) => during(() => runs.remove(runId)),
    list: (query = {}) =>
      during(async () => {
        const { runs: found, now } = await runs.list(query);
        return found.flatMap((run): StoredRun | [] => toStoredRun(run, now) ?? []);
      }),
  };
}

/** What else belongs to the transaction of these events, if the last of them queues the run. */
function dispatchLast({ onQueued }: PostgresPort, events: readonly BatonEvent[]) {
  const last = events.at(-1);
  if (onQueued === undefined || last?.type !== "run.queued") return undefined;
  return (client: ClientBase) => onQueued(client, last, events);
}

function createDocumentMethods({ database, during }: Parts): DocumentMethods {
  const documents = createPostgresDocuments(database);
  const inTurn = takeTurns<string>();
  return {
    get: (kind, key) => during(() => documents.find(kind, key)),
    put: (kind, key, value, version) =>
      during(async () => {
        const text = toDocumentText({ kind, key, value, version });
        return inTurn(`${kind}\0${key}`, () => documents.save(kind, key, text, version));
      }),
    drop: (kind, key) => during(() => inTurn(`${kind}\0${key}`, () => documents.drop(kind, key))),
    kinds: () => during(() => documents.kinds()),
    documents: (kind) => during(async () => (await documents.list(kind)).sort((a, b) => (a.key < b.key ? -1 : 1))),
  };
}

function createHandoffMethods({ database, during }: Parts): HandoffMethods {
  const handoffs = createPostgresHandoffs(database);
  return {
    learn: (runId, learned) =>
      during(async () => {
        checkHandoffs(learned);
        if (!(await handoffs.save(runId, learned))) throw explainUnknownRun(runId);
      }),
    stats: (query = {}, limit = SHOWN_ROWS) => during(() => handoffs.stats(query, clampLimit(limit))),
    handoffs: (query, limit) => during(() => handoffs.list(query, clampLimit(limit))),
    forget: (query) => during(() => handoffs.forget(query)),
  };
}

function createMemoryMethods({ database, clockNow, during }: Parts): MemoryMethods {
  const memories = createPostgresMemories(database, clockNow);
  return {
    remember: (entry, maxEntries) =>
      during(async () => {
        checkEntry(entry);
        // A copy, so that a caller who changes the entry afterwards does not change what is stored.
        return memories.remember(structuredClone(entry), maxEntries);
      }),
    recall: (query) => during(() => memories.recall(query)),
    memories: (query = {}) => during(() => memories.list(query)),
    eraseMemories: (query) => during(() => memories.erase(query)),
  };
}

function createBlobMethods({ database, during }: Parts): BlobMethods {
  const blobs = createPostgresBlobs(database);
  return {
    saveBlob: (runId, bytes) =>
      during(async () => {
        checkName(runId, "run");
        return blobs.save(runId, Uint8Array.from(bytes));
      }),
    // A hash may become the name of a file.
    readBlob: (sha256) => during(async () => (/^[0-9a-f]{64}$/.test(sha256) ? blobs.find(sha256) : undefined)),
    listBlobs: (runId) => during(() => blobs.list(runId)),
  };
}

/** Calls about the same thing are made one after the other, in the order in which they came; all others at once. */
function takeTurns<Key>(): <Result>(key: Key, go: () => Promise<Result>) => Promise<Result> {
  const last = new Map<Key, Promise<unknown>>();
  return (key, go) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(go);
    // The next call goes ahead whatever becomes of this one.
    const done = turn
      .catch(() => {})
      .finally(() => {
        if (last.get(key) === done) last.delete(key);
      });
    last.set(key, done);
    return turn;
  };
}

/** Like `tailEvents`, for a store that is far away: what is added while it reads wakes it up again. */
async function* tailRun(
  { database, followers, during, isClosed }: Parts,
  runId: RunId,
  fromSeq: number,
  signal: AbortSignal,
): AsyncGenerator<BatonEvent, void> {
  let follower: Follower | undefined;
  let next = fromSeq;
  try {
    while (!signal.aborted && !isClosed()) {
      const changes = follower?.changes() ?? 0;
      const { events, status } = await during(() => readEvents(database, runId, next));
      for (const event of events) {
        if (signal.aborted) return;
        yield event;
      }
      next += events.length;
      if (events.length > 0) continue;
      if (status !== undefined && isAtRest({ status })) return;
      // A reader that is not told yet looks once more, since something may have been added meanwhile.
      if (follower === undefined) follower = followers.follow(runId);
      else await follower.wait(changes, signal);
    }
  } finally {
    follower?.stop();
  }
}
