import type { FoundMemory, RecallQuery, StoredMemory } from "./memory-entry.ts";

/** Constants of BM25 as most search engines have them. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/** Searches entries that are in memory: by BM25 over their terms, or by the cosine of their vectors. */
export function searchMemories(
  entries: readonly StoredMemory[],
  { scope, by, limit }: RecallQuery,
  now: number,
): FoundMemory[] {
  const open = entries.filter((each) => each.scope === scope && isRecallable(each, now));
  const found = "vector" in by ? scoreByVector(open, by.vector) : scoreByTerms(open, by.terms);
  return found
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.at - a.at)
    .slice(0, Math.max(0, limit));
}

function isRecallable({ expiresAt, supersededBy }: StoredMemory, now: number): boolean {
  return supersededBy === undefined && (expiresAt === undefined || expiresAt > now);
}

function scoreByVector(entries: readonly StoredMemory[], vector: readonly number[]): FoundMemory[] {
  return entries.map((entry) => ({ ...entry, score: multiply(entry.vector ?? [], vector) }));
}

function multiply(a: readonly number[], b: readonly number[]): number {
  return a.length === b.length ? a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0) : 0;
}

function scoreByTerms(entries: readonly StoredMemory[], terms: readonly string[]): FoundMemory[] {
  const lists = entries.map((entry) => entry.terms.split(" "));
  const averageLength = lists.reduce((sum, { length }) => sum + length, 0) / Math.max(1, lists.length);
  const wanted = [...new Set(terms)];
  const rarity = new Map(
    wanted.map((term) => {
      const count = lists.filter((list) => list.includes(term)).length;
      return [term, Math.log(1 + (lists.length - count + 0.5) / (count + 0.5))] as const;
    }),
  );
  const scoreMemory = (list: readonly string[]) =>
    wanted.reduce((sum, term) => {
      const count = list.filter((each) => each === term).length;
      const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * list.length) / averageLength;
      const weight = (count * (SATURATION + 1)) / (count + SATURATION * length);
      return sum + (rarity.get(term) ?? 0) * weight;
    }, 0);
  return entries.map((entry, index) => ({ ...entry, score: scoreMemory(lists[index] ?? []) }));
}
