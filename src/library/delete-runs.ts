import type { Store, StoredRun } from "../journal/store.ts";
import { IDEMPOTENCY, readKey } from "../run-storage/idempotency.ts";
import { NOTIFICATION, readNotice } from "../run-storage/notifications.ts";
import { BatonError, explainUnknownRun } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { nameUserScope } from "../vocabulary/memory-keys.ts";
import { checkConversationId, nameThread, SESSION, threadRuns } from "./find-thread.ts";

/** What was deleted, as the store's log says it. */
export interface Deletion {
  readonly what: "run" | "conversation" | "user" | "old runs";
  readonly id: string;
  /** How many runs it had. */
  readonly runs: number;
  /** How many facts agents remembered of a user. */
  readonly memories?: number;
  readonly at: string;
  /** Who asked for it, such as the name of a token. */
  readonly by?: string;
}

/** Who deletes. */
export interface DeletionOptions {
  /** It is noted in the store's log. */
  readonly by?: string | undefined;
}

/** The kind of document that the log of deletions consists of. */
const DELETION = "deletion";

/**
 * Deletes a run with all that belongs to it. Later runs of its conversation still have what they were told of it. Rejects with a
 * `BatonError`: `unknown-run`, `run-active` while the run is running, or a `StoreErrorCode`.
 */
export async function deleteRun(store: Store, runId: RunId, options: DeletionOptions = {}): Promise<Deletion> {
  if ((await store.read(runId, 0, 1)).length === 0) throw explainUnknownRun(runId);
  return deleteRuns(store, "run", runId, [runId], options);
}

/**
 * Deletes a conversation with all its runs. Without a user, it is one that everybody shares. Rejects with a `BatonError`:
 * `unknown-session`, `bad-session`, `run-active` while a run of it is running, or a `StoreErrorCode`.
 */
export async function deleteConversation(
  store: Store,
  name: { readonly id: string; readonly crew: string; readonly user?: string | undefined },
  options: DeletionOptions = {},
): Promise<Deletion> {
  const { id, crew, user } = name;
  checkConversationId(id);
  const { key } = nameThread(id, crew, user);
  const runIds = new Set<RunId>();
  for await (const { runId } of threadRuns(store, key)) runIds.add(runId);
  // A run that was deleted by itself interrupts the thread, but not the list.
  if (user !== undefined) for (const { runId } of await store.list({ crew, user, conversation: id })) runIds.add(runId);
  const isKnown = (await store.get(SESSION, key)) !== undefined;
  if (runIds.size === 0 && !isKnown) throw new BatonError("unknown-session", `there is no conversation '${id}'`);
  const deleted = await deleteRuns(store, "conversation", id, [...runIds], options);
  await store.drop(SESSION, key);
  return deleted;
}

/**
 * Deletes every run that was started for a user, the user's conversations, and what agents remember of the user. Rejects with a
 * `BatonError`: `unknown-user`, `run-active` while a run of the user is running, or a `StoreErrorCode`.
 */
export async function deleteUser(store: Store, user: string, options: DeletionOptions = {}): Promise<Deletion> {
  const runs = await store.list({ user });
  const encoded = encodeURIComponent(user.toWellFormed());
  const threads = (await store.documents(SESSION)).filter(({ key }) => key.split("/")[1] === encoded);
  const scope = nameUserScope(user);
  const memories = (await store.memories({ scope })).length;
  if (runs.length === 0 && threads.length === 0 && memories === 0)
    throw new BatonError("unknown-user", `there are no runs, conversations and memories of user '${user}'`);
  const deleted = await deleteRuns(
    store,
    "user",
    user,
    runs.map(({ runId }) => runId),
    options,
    memories,
  );
  for (const { key } of threads) await store.drop(SESSION, key);
  await store.eraseMemories({ scope });
  return deleted;
}

/** Which runs are old enough to be deleted. Times are milliseconds since 1970, as `Date.now()` gives them. */
export interface PruneOptions {
  /** Only runs whose last event is before this time are listed. */
  readonly before: number;
  /** Leaves out runs that wait for an answer, however old they are. */
  readonly keepPaused?: boolean;
}

/**
 * Lists the runs that pruning deletes, the oldest first: those that have ended or wait. Runs that go on, or were interrupted, are never among them.
 * Rejects with a `BatonError` whose code is a `StoreErrorCode`.
 */
export async function listPrunable(
  store: Pick<Store, "list">,
  { before, keepPaused = false }: PruneOptions,
): Promise<readonly StoredRun[]> {
  const statuses = ["completed", "failed", "cancelled", ...(keepPaused ? [] : ["paused"])];
  const isPrunable = ({ status, updatedAt, isOwned }: StoredRun) =>
    statuses.includes(status) && updatedAt < before && !isOwned;
  return (await store.list()).filter(isPrunable).toReversed();
}

/**
 * Deletes the runs that `listPrunable` lists, and notes it in the store's log. Rejects with a `BatonError`: `run-active` while one of
 * them is running, or a `StoreErrorCode`.
 */
export async function pruneRuns(store: Store, which: PruneOptions, options: DeletionOptions = {}): Promise<Deletion> {
  const runIds = (await listPrunable(store, which)).map(({ runId }) => runId);
  return deleteRuns(store, "old runs", `before ${new Date(which.before).toISOString()}`, runIds, options);
}

/** The store's log of deletions, oldest first. Rejects with a `BatonError` whose code is a `StoreErrorCode`. */
export async function listDeletions(store: Pick<Store, "documents">): Promise<readonly Deletion[]> {
  // Only this file writes documents of this kind.
  return (await store.documents(DELETION)).map(({ value }) => value as Deletion);
}

async function deleteRuns(
  store: Store,
  what: Deletion["what"],
  id: string,
  runIds: readonly RunId[],
  { by }: DeletionOptions,
  memories?: number,
): Promise<Deletion> {
  await refuseActive(store, new Set(runIds));
  const at = new Date().toISOString();
  const deletion: Deletion = {
    ...{ what, id, runs: runIds.length, at },
    ...(memories !== undefined && { memories }),
    ...(by !== undefined && { by }),
  };
  // Noted first: an interrupted deletion is repeated, and a finished one is never without a note.
  await store.put(DELETION, `${at} ${crypto.randomUUID()}`, deletion, 0);
  for (const runId of runIds) {
    await store.remove(runId);
    for (const kind of ["cancel", "feedback"]) await store.drop(kind, runId);
  }
  await dropDocuments(store, new Set(runIds));
  return deletion;
}

/** A run that is running would be written again. */
async function refuseActive(store: Store, runIds: ReadonlySet<string>): Promise<void> {
  const isActive = ({ runId, isOwned }: StoredRun) => isOwned && runIds.has(runId);
  const active = (await store.list()).find(isActive);
  if (active === undefined) return;
  throw new BatonError("run-active", `run '${active.runId}' is running: wait for its end, or cancel it first`);
}

/** Keys and notices name the runs that they are about. */
async function dropDocuments(store: Store, runIds: ReadonlySet<string>): Promise<void> {
  for (const { key, value } of await store.documents(IDEMPOTENCY))
    if (runIds.has(readKey(value)?.run ?? "")) await store.drop(IDEMPOTENCY, key);
  for (const { key, value } of await store.documents(NOTIFICATION))
    if (runIds.has(readNotice(value)?.message.runId ?? "")) await store.drop(NOTIFICATION, key);
}
