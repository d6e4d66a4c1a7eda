import { createTextWeigher, measureLikeness, type WeighedText } from "./measure-likeness.ts";

/** Inputs with less in common only share their language. */
const ALIKE = 0.2;
/** This bound is higher: if two kinds were taken for one, nobody would see that the target does better on one of them. */
const OF_ONE_KIND = 0.25;
/** Bounds the work. Inputs that are like none of this many kinds, each with this many known inputs, get a kind of their own. */
const MOST_KINDS = 16;
const MOST_EXAMPLES = 4;

/** Names the kind of a past input. `ASKED` is the kind of the input in question. */
export type KindOf = (input: string) => string;

export const ASKED = "asked";

interface Kind {
  readonly name: string;
  readonly examples: WeighedText[];
}

/** Sorts past inputs by their words: first those like the input in question, then the others into kinds of their own. */
export function sortIntoKinds(inputs: ReadonlySet<string>, asked: string): KindOf {
  const weigh = createTextWeigher(inputs);
  const askedText = weigh(asked);
  const kinds: Kind[] = [];
  const names = new Map<string, string>();
  for (const input of inputs) {
    const text = weigh(input);
    const isAlike = input === asked || measureLikeness(askedText, text) >= ALIKE;
    names.set(input, isAlike ? ASKED : sort(text, `like: ${input}`, kinds));
  }
  return (input) => names.get(input) ?? ASKED;
}

function sort(text: WeighedText, name: string, kinds: Kind[]): string {
  const near = kinds.find(({ examples }) => examples.some((example) => measureLikeness(example, text) >= OF_ONE_KIND));
  if (near === undefined) {
    if (kinds.length < MOST_KINDS) kinds.push({ name, examples: [text] });
    return name;
  }
  if (near.examples.length < MOST_EXAMPLES) near.examples.push(text);
  return near.name;
}
