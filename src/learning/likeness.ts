import { tellingOf } from "../classify/index-agents.ts";
import { wordsOf } from "../classify/words-of.ts";

/** Words of an input that tell it from others, as they are compared: without marks, which many people leave out. */
export function wordsIn(input: string): ReadonlySet<string> {
  return new Set(tellingOf(wordsOf(input)).map(({ bare }) => bare));
}

/** How much a word tells, given texts in which it may stand: one that stands in all of them tells next to nothing. */
export type WordWeights = (word: string) => number;

export function weighWords(texts: readonly ReadonlySet<string>[]): WordWeights {
  const counts = new Map<string, number>();
  for (const words of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => Math.log(1 + (texts.length + 1) / ((counts.get(word) ?? 0) + 0.5));
}

/** How alike two texts are by their words: 1 where they have the same, 0 where they share none. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>, weigh: WordWeights): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += weigh(word) ** 2;
  return shared === 0 ? 0 : shared / (lengthOf(a, weigh) * lengthOf(b, weigh));
}

function lengthOf(words: ReadonlySet<string>, weigh: WordWeights): number {
  let sum = 0;
  for (const word of words) sum += weigh(word) ** 2;
  return Math.sqrt(sum);
}
