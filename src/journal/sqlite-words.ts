import { createHash } from "node:crypto";
import type { StatementSync } from "node:sqlite";

const WORD = "SELECT entries FROM memory_words WHERE word = ?";
const COUNT = "INSERT INTO memory_words VALUES (?, 1) ON CONFLICT DO UPDATE SET entries = entries + 1";
const UNCOUNT = "UPDATE memory_words SET entries = entries - 1 WHERE word = ?";
const RANK =
  "SELECT rowid AS number, -rank AS score FROM memory_terms WHERE memory_terms MATCH ? ORDER BY rank LIMIT ?";
const NEWEST =
  "SELECT rowid AS number, 0.0 AS score FROM memory_terms WHERE memory_terms MATCH ? ORDER BY rowid DESC LIMIT ?";
/** A search ranks about as many entries as this, those with the rarest of its words. */
const MAX_RANKED = 3000;

type Texts = { readonly terms: string; readonly scope: string };

/** The words of the entries of memory, and how many entries have each. */
export function createWordIndex(prepare: (sql: string) => StatementSync) {
  return {
    add(number: number, { terms, scope }: Texts): void {
      const words = readTerms(terms.split(" "), scope);
      prepare("INSERT INTO memory_terms (rowid, terms) VALUES (?, ?)").run(number, words.join(" "));
      for (const word of new Set(words)) prepare(COUNT).run(word);
    },
    remove(number: number, { terms, scope }: Texts): void {
      prepare("DELETE FROM memory_terms WHERE rowid = ?").run(number);
      for (const word of new Set(readTerms(terms.split(" "), scope))) prepare(UNCOUNT).run(word);
    },
    /** Ranks by the rarest words. If even the rarest is in most entries it says little, and the newest are taken. */
    search(scope: string, terms: readonly string[], limit: number) {
      const counted = [...new Set(readTerms(terms, scope))]
        .map((word) => ({ word, entries: Number(prepare(WORD).get(word)?.["entries"] ?? 0) }))
        .filter(({ entries }) => entries > 0)
        .sort((a, b) => a.entries - b.entries);
      const [rarest] = counted;
      if (rarest === undefined) return [];
      const chosen = takeRare(counted);
      const rows =
        chosen.length === 0
          ? prepare(NEWEST).all(`"${rarest.word}"`, limit)
          : prepare(RANK).all(chosen.map((word) => `"${word}"`).join(" OR "), limit);
      return rows.map(({ number, score }) => ({ number: Number(number), score: Number(score) }));
    },
  };
}

function takeRare(counted: readonly { readonly word: string; readonly entries: number }[]): string[] {
  const chosen: string[] = [];
  let sum = 0;
  for (const { word, entries } of counted) {
    sum += entries;
    if (sum > MAX_RANKED) break;
    chosen.push(word);
  }
  return chosen;
}

/** Terms as words of their scope, so that searches in one scope neither find nor weigh those of another. */
function readTerms(terms: readonly string[], scope: string): string[] {
  const prefix = `s${createHash("sha256").update(scope).digest("hex").slice(0, 24)}x`;
  return terms.filter((term) => /^[\p{L}\p{M}\p{N}]+$/u.test(term)).map((term) => prefix + term);
}
