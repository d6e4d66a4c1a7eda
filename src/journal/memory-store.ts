import { type Clock, systemClock } from "../run/clock.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { Memory } from "./memory.ts";
import { createHandoffTables } from "./memory-handoffs.ts";
import { searchMemories } from "./memory-search.ts";
import { createRow, type RunRow } from "./run-row.ts";
import type { RunQuery, Store } from "./store.ts";
import { createTableStore } from "./table-store.ts";
import type { BlobTable, MemoryTable, Tables } from "./tables.ts";
import { createWakeUps } from "./wake-ups.ts";

export function createMemory(): Memory {
  return {
    runs: new Map(),
    documents: new Map(),
    handoffs: new Map(),
    memories: new Map(),
    blobs: new Map(),
    blobsOfRuns: new Map(),
    wakeUps: createWakeUps(),
  };
}

/** Opens a store for tests, and for runs that nobody needs to find again. */
export function openMemoryStore({ clock = systemClock }: { readonly clock?: Pick<Clock, "now"> } = {}): Store {
  return openStoreIn(createMemory(), clock);
}

/** Opens one of several stores that share what they store. */
export function openStoreIn(memory: Memory, clock: Pick<Clock, "now">): Store {
  return createTableStore(createTables(memory), clock);
}

function createTables(memory: Memory): Tables<RunRow> {
  const { runs, documents, wakeUps } = memory;
  return {
    wakeUps,
    write: async (change) => change(),
    read: (look) => look(),
    newRun: createRow,
    findRun: (runId) => runs.get(runId)?.row,
    saveRun(_, row, added) {
      const stored = runs.get(row.runId) ?? { row, texts: [] };
      stored.row = row;
      for (const { text } of added) stored.texts.push(text);
      runs.set(row.runId, stored);
    },
    appendAlone: () => undefined,
    removeRun(_, after) {
      runs.set(after.runId, { row: after, texts: [] });
      memory.handoffs.delete(after.runId);
    },
    events({ runId }, fromSeq, limit = Number.POSITIVE_INFINITY) {
      const texts = runs.get(runId)?.texts ?? [];
      return texts.slice(fromSeq, fromSeq + limit).map((text): BatonEvent => JSON.parse(text));
    },
    confirmAbsence: () => {},
    runs: (query) => listRows(runs, query),
    findDocument(kind, key) {
      const found = documents.get(kind)?.get(key);
      return found === undefined ? undefined : { key, value: JSON.parse(found.text), version: found.version };
    },
    saveDocument(kind, key, text, version) {
      const ofKind = documents.get(kind) ?? new Map();
      documents.set(kind, ofKind.set(key, { text, version }));
    },
    dropDocument: (kind, key) => void documents.get(kind)?.delete(key),
    kinds: () => [...documents].flatMap(([kind, ofKind]) => (ofKind.size > 0 ? [kind] : [])),
    documents: (kind) =>
      [...(documents.get(kind) ?? [])].map(([key, { text, version }]) => ({ key, value: JSON.parse(text), version })),
    ...createHandoffTables(memory),
    memories: createMemoryTable(memory),
    blobs: createBlobTable(memory),
    close: async () => {},
  };
}

function listRows(runs: Memory["runs"], query: RunQuery): RunRow[] {
  const { status, crew, user, conversation, after, limit = Number.POSITIVE_INFINITY } = query;
  const crews = typeof crew === "string" ? [crew] : crew;
  const newestFirst = [...runs.values()]
    .map(({ row }) => row)
    .reverse()
    .sort((a, b) => b.startedAt - a.startedAt);
  const first = after === undefined ? 0 : newestFirst.findIndex(({ runId }) => runId === after) + 1;
  if (after !== undefined && first === 0) return [];
  return newestFirst
    .slice(first)
    .filter((row) => row.status !== undefined && row.status === (status ?? row.status))
    .filter((row) => crews === undefined || crews.includes(row.crew))
    .filter((row) => row.user === (user ?? row.user) && row.conversation === (conversation ?? row.conversation))
    .slice(0, Math.max(0, limit));
}

/** The entries of memory of a store in memory. */
function createMemoryTable({ memories }: Memory): MemoryTable {
  const list: MemoryTable["list"] = ({ scope, id, limit = Number.POSITIVE_INFINITY }) =>
    [...memories.values()]
      .filter((each) => each.scope === (scope ?? each.scope) && each.id === (id ?? each.id))
      .reverse()
      .sort((a, b) => b.at - a.at)
      .slice(0, Math.max(0, limit));
  return {
    findText: (scope, text) => list({ scope }).find((each) => each.text === text),
    save: (entry) => void memories.set(entry.id, entry),
    count: (scope) => list({ scope }).length,
    list,
    oldest: (scope, limit) => list({ scope }).reverse().slice(0, limit),
    erase(query) {
      const found = list(query);
      for (const { id } of found) memories.delete(id);
      return found.length;
    },
    search: (query, now) => searchMemories([...memories.values()], query, now),
  };
}

/** The bytes of a store in memory. */
function createBlobTable({ blobs, blobsOfRuns }: Memory): BlobTable {
  return {
    save(runId, sha256, bytes) {
      blobs.set(sha256, bytes);
      const own = blobsOfRuns.get(runId) ?? new Set();
      blobsOfRuns.set(runId, own.add(sha256));
    },
    find(sha256) {
      const bytes = blobs.get(sha256);
      return bytes && Uint8Array.from(bytes);
    },
    list: (runId) => [...(blobsOfRuns.get(runId) ?? [])],
    removeRun(runId) {
      const own = blobsOfRuns.get(runId) ?? new Set();
      blobsOfRuns.delete(runId);
      const others = new Set([...blobsOfRuns.values()].flatMap((each) => [...each]));
      for (const sha256 of own) if (!others.has(sha256)) blobs.delete(sha256);
    },
  };
}
