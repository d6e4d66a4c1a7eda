import type { Memory } from "./memory.ts";
import { searchMemories } from "./memory-search.ts";
import type { BlobTable, MemoryTable } from "./tables.ts";

/** The entries of memory of a store in memory. */
export function createMemoryTable({ memories }: Memory): MemoryTable {
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
export function createBlobTable({ blobs, blobsOfRuns }: Memory): BlobTable {
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
