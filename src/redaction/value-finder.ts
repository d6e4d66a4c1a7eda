/** Finds exact values in a text. */
export interface ValueFinder {
  /**
   * Finds the first value between `from` and `limit`, and the longest one if several begin alike. If more text may follow after
   * `limit`, `end` is undefined for what may still become a value.
   */
  find(text: string, from: number, limit: number, hasMore: boolean): FoundValue | undefined;
}

interface FoundValue {
  readonly start: number;
  readonly end: number | undefined;
}

/** The first characters of a value, which decide whether a place is worth a look. No value is shorter. */
const HEAD = 8;
const PAIRS = 4096;

/**
 * Looks at the pair of characters at the end of each window of eight. If no head contains that pair, no head lies across it,
 * and the search skips ahead. So a text costs about the same with one value or with hundreds, and less than a look at each
 * character.
 */
export function createValueFinder(values: readonly string[]): ValueFinder {
  const shifts = new Uint8Array(PAIRS).fill(HEAD - 1);
  const byHead = new Map<string, string[]>();
  const partialHeads = new Set<string>();
  for (const value of values.toSorted((a, b) => b.length - a.length)) {
    const head = value.slice(0, HEAD);
    byHead.set(head, [...(byHead.get(head) ?? []), value]);
    for (let length = 1; length < HEAD; length++) {
      partialHeads.add(head.slice(0, length));
      const pair = readPair(head, length);
      shifts[pair] = Math.min(shifts[pair] ?? 0, HEAD - 1 - length);
    }
  }

  const valueAt = (text: string, start: number, limit: number, hasMore: boolean): FoundValue | undefined => {
    for (const value of byHead.get(text.slice(start, start + HEAD)) ?? []) {
      if (start + value.length > limit) {
        if (hasMore && value.startsWith(text.slice(start, limit))) return { start, end: undefined };
      } else if (text.startsWith(value, start)) return { start, end: start + value.length };
    }
    return undefined;
  };

  const partialAt = (text: string, from: number, limit: number): FoundValue | undefined => {
    for (let start = Math.max(from, limit - HEAD + 1); start < limit; start++) {
      if (partialHeads.has(text.slice(start, limit))) return { start, end: undefined };
    }
    return undefined;
  };

  return {
    find(text, from, limit, hasMore) {
      if (values.length === 0) return undefined;
      for (let last = from + HEAD - 1; last < limit; ) {
        const shift = shifts[readPair(text, last)] ?? 0;
        const found = shift === 0 ? valueAt(text, last - HEAD + 1, limit, hasMore) : undefined;
        if (found !== undefined) return found;
        last += Math.max(1, shift);
      }
      return hasMore ? partialAt(text, from, limit) : undefined;
    },
  };
}

/** Packs the two characters that end at `last` into a number. */
function readPair(text: string, last: number): number {
  return (text.charCodeAt(last - 1) * 67 + text.charCodeAt(last)) & (PAIRS - 1);
}
