import type { Clock } from "../run/clock.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { checkName } from "./check-name.ts";
import type { MemoryEntry } from "./memory-entry.ts";
import type { RunRow } from "./run-row.ts";
import type { Store } from "./store.ts";
import type { MemoryTable, Tables } from "./tables.ts";

type MemoryMethods = Pick<Store, "remember" | "recall" | "memories" | "eraseMemories">;

/** The memory of a store: what a new entry does to others of its scope is the same wherever entries are stored. */
export function createMemoryMethods<Row extends RunRow>(
  tables: Tables<Row>,
  clock: Pick<Clock, "now">,
  checkOpen: () => void,
): MemoryMethods {
  const { memories } = tables;
  return {
    async remember(entry, maxEntries) {
      checkOpen();
      checkEntry(entry);
      // A copy, so that a caller who changes the entry afterwards does not change what is stored.
      const added = structuredClone(entry);
      return tables.write(() => {
        const same = memories.findText(added.scope, added.text);
        const id = same?.id ?? added.id;
        memories.save({ ...added, id });
        markSuperseded(memories, { ...added, id });
        const dropped = maxEntries === undefined ? 0 : makeRoom(memories, added.scope, Math.max(1, maxEntries));
        return { id, isNew: same === undefined, dropped };
      });
    },
    async recall(query) {
      checkOpen();
      return tables.read(() => memories.search(query, clock.now()));
    },
    async memories(query = {}) {
      checkOpen();
      return tables.read(() => memories.list(query));
    },
    async eraseMemories(query) {
      checkOpen();
      return tables.write(() => memories.erase(query));
    },
  };
}

function markSuperseded(memories: MemoryTable, { id, scope, supersedes = [] }: MemoryEntry): void {
  const older = supersedes.filter((each) => each !== id).flatMap((each) => memories.list({ scope, id: each }));
  for (const each of older) memories.save({ ...each, supersededBy: id });
}

function makeRoom(memories: MemoryTable, scope: string, maxEntries: number): number {
  const excess = memories.count(scope) - maxEntries;
  const oldest = excess <= 0 ? [] : memories.oldest(scope, excess);
  for (const { id } of oldest) memories.erase({ scope, id });
  return oldest.length;
}

export function checkEntry({ id, scope, text, terms, path, at, tags, vector = [] }: MemoryEntry): void {
  for (const name of [id, scope, text, terms, path, ...tags]) checkName(name, "memory");
  if (![at, ...vector].every(Number.isFinite))
    throw new BatonError("bad-document", `memory '${id}' has a figure that cannot be stored`);
}
