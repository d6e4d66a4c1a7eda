import { createTextWeigher, measureLikeness, type WeighedText } from "./measure-likeness.ts";

/** Inputs that share less are not alike, only written in the same language. */
const ALIKE = 0.2;
/** Other kinds are drawn more narrowly: two kinds taken for one would hide that the target does not do both equally well. */
const OF_ONE_KIND = 0.25;
/** A bound on the work: inputs that are like none of so many kinds, each known by so many inputs, are only like themselves. */
const MOST_KINDS = 16;
const MOST_EXAMPLES = 4;

/** Names the kind of a past input; `ASKED` is the kind of the input that is asked about. */
export type KindOf = (input: string) => string;

export const ASKED = "asked";

interface Kind {
  readonly name: string;
  readonly examples: WeighedText[];
}

/** Sorts past inputs by their words: first those like the input that is asked about, then the others into kinds of their own. */
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
