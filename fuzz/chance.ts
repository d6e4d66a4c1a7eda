import { randomFrom } from "./mutate.ts";

/** Choices that follow from a seed. */
export interface Chance {
  /** A whole number from 0 up to, and not including, `limit`. */
  below(limit: number): number;
  /** True as often as this, out of a hundred times. */
  percent(share: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** One of a list that may be empty. */
  anyOf<Item>(items: readonly Item[]): Item | undefined;
  /** Up to `most` of the items, each once, in a random order. */
  some<Item>(items: readonly Item[], most: number): Item[];
  /** The keys as often as this, out of a hundred times; else none. */
  maybe<Keys extends object>(share: number, keys: () => Keys): Keys | Record<never, never>;
  list<Item>(length: number, item: (index: number) => Item): Item[];
}

export function createChance(seed: number): Chance {
  const below = randomFrom(seed);
  const chance: Chance = {
    below,
    percent: (share) => below(100) < share,
    // The index is within the list, which is not empty.
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    anyOf: (items) => items[below(items.length)],
    some(items, most) {
      const left = [...items];
      const taken: typeof left = [];
      for (let count = below(most + 1); count > 0 && left.length > 0; count--) {
        taken.push(...left.splice(below(left.length), 1));
      }
      return taken;
    },
    maybe: (share, keys) => (below(100) < share ? keys() : {}),
    list: (length, item) => Array.from({ length }, (_, index) => item(index)),
  };
  return chance;
}
