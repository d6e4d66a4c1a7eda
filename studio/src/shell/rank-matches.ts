/** Something that can be found by typing part of its name. */
export interface Findable {
  readonly title: string;
  /** What it is: a crew, a run, an agent, a page. */
  readonly kind: string;
  readonly href: string;
}

const MOST = 12;

/** The things whose names have all the typed words, those that begin with one of them first. */
export function rankMatches<Item extends Findable>(typed: string, items: readonly Item[]): Item[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return items
    .map((item) => ({ item, score: score(words, `${item.title} ${item.kind}`.toLowerCase()) }))
    .filter(({ score: found }) => found > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ item }) => item);
}

function score(words: readonly string[], text: string): number {
  if (words.some((word) => !text.includes(word))) return 0;
  return (
    1 + words.filter((word) => text.startsWith(word)).length * 2 + words.filter((word) => hasWord(text, word)).length
  );
}

function hasWord(text: string, word: string): boolean {
  return text.split(/[\s/_-]+/).some((part) => part.startsWith(word));
}
