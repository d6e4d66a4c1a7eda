import type { StatementSync } from "node:sqlite";
import { createVectorCache, type Near } from "./vector-cache.ts";

const NEW = "SELECT number, vector FROM memories WHERE scope = ? AND number > ? AND length(vector) = ?";

/** Compares a vector with all vectors of a scope in a file. */
export function createVectorIndex(prepare: (sql: string) => StatementSync) {
  const cache = createVectorCache();
  return {
    search(scope: string, vector: readonly number[], limit: number): Near[] {
      const dimensions = vector.length;
      const last = cache.lastNumber(scope, dimensions);
      for (const { number, vector: bytes } of prepare(NEW).iterate(scope, last, dimensions * 4))
        if (bytes instanceof Uint8Array) cache.add(scope, dimensions, Number(number), bytes);
      return cache.search(scope, vector, limit);
    },
  };
}
