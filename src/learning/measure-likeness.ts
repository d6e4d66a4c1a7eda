import { findTellingWords } from "../classify/index-agents.ts";
import { splitIntoWords } from "../classify/split-into-words.ts";

/** A text in the form that is compared: for each word the square of its weight, and the length of that vector. */
export interface WeighedText {
  readonly squares: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Weighs the words of texts. A word that is in all texts has next to no weight, a word that is in none has the most. */
export function createTextWeigher(texts: Iterable<string>): (text: string) => WeighedText {
  const known = new Map<string, ReadonlySet<string>>();
  for (const text of texts) known.set(text, listWords(text));
  const counts = new Map<string, number>();
  for (const words of known.values()) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (text) => {
    const squares = new Map<string, number>();
    let sum = 0;
    for (const word of known.get(text) ?? listWords(text)) {
      const square = Math.log(1 + (known.size + 1) / ((counts.get(word) ?? 0) + 0.5)) ** 2;
      squares.set(word, square);
      sum += square;
    }
    return { squares, length: Math.sqrt(sum) };
  };
}

/** The words that tell an input from others, without diacritics, which many people leave out. */
function listWords(input: string): ReadonlySet<string> {
  return new Set(findTellingWords(splitIntoWords(input)).map(({ bare }) => bare));
}

/** How alike two texts are by their words: 1 if they have the same words, 0 if they share none. */
export function measureLikeness(a: WeighedText, b: WeighedText): number {
  let shared = 0;
  for (const [word, square] of a.squares) if (b.squares.has(word)) shared += square;
  return shared === 0 ? 0 : shared / (a.length * b.length);
}
