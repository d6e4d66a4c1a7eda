/** Only the beginning of a long text is compared. It shows the topic, and it bounds the work. */
const MOST = 8_000;
const SIGNAL = /\[[\p{L}\p{M}\p{N} _-]{1,64}\]/gu;
const WORD = /[\p{L}\p{M}\p{N}]+(?:'\p{L}+)?/gu;

/** Words that appear in texts about anything. */
const common: ReadonlySet<string> = new Set(
  `about above after again against also although always another anything around because been before being below between
  both cannot could does doing done down during each either else enough even ever every everything first from further
  getting give given goes going have having here hers herself himself however into itself just know last least less
  like look made make many might more most much must myself need needs never next nothing only other others ours over
  please really same shall should since some something still such sure take than that their theirs them then there
  these they thing things this those through thus together under until upon used using very want wants well were what
  when where whether which while whom whose will with within without would your yours yourself user request agent
  message original response from analysis gathered parallel results work task answer question information details`.split(
    /\s+/,
  ),
);

/** A few words that every longer English text contains. */
const english: ReadonlySet<string> = new Set(
  "the and of to in is for with that it on as are be was this but not by from or an at you your we they while".split(
    " ",
  ),
);

/** Lists the words of a text in order, without its signals. */
export function listWords(text: string): string[] {
  return text.slice(0, MOST).replace(SIGNAL, " ").toLowerCase().match(WORD) ?? [];
}

/** Finds the topics of a text: its longer words and its numbers, each reduced to a stem. */
export function findTopics(text: string): Set<string> {
  const topics = new Set<string>();
  for (const word of listWords(text)) {
    const isTelling = /\p{N}/u.test(word) || (word.length > 3 && !common.has(word));
    if (isTelling) topics.add(stemWord(word));
  }
  return topics;
}

/** Whether a text has at least this many English words; a list of findings may have few. */
export function isEnglish(text: string, least = 2): boolean {
  return new Set(listWords(text).filter((word) => english.has(word))).size >= least;
}

/** A `findTopics` that remembers its results, by the object that a text belongs to. */
export function createTopicFinder(): (of: object, text: string) => ReadonlySet<string> {
  const known = new Map<object, ReadonlySet<string>>();
  return (of, text) => {
    const topics = known.get(of) ?? findTopics(text);
    known.set(of, topics);
    return topics;
  };
}

export function findShared(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  return [...few].filter((each) => many.has(each));
}

/** Whether two texts say the same, in nearly the same words and with the same numbers. */
export function sayTheSame(a: string, b: string): boolean {
  const [left, right] = [listWords(a), listWords(b)];
  if (left.join(" ") === right.join(" ")) return true;
  if (Math.min(left.length, right.length) < 8) return false;
  const numbers = (words: readonly string[]) => words.filter((word) => /\p{N}/u.test(word)).join(" ");
  return numbers(left) === numbers(right) && measureOverlap(listWordPairs(left), listWordPairs(right)) >= 0.7;
}

/** Inflected words differ at the end, so their beginnings are enough to tell them apart. */
function stemWord(word: string): string {
  if (word.length < 5 || /\p{N}/u.test(word)) return word;
  return word.replace(/(?:ations?|ments?|ings?|ness|able|edly|ed|es|ly|s|er|e|y)$/u, "").slice(0, 7);
}

function listWordPairs(words: readonly string[]): Set<string> {
  return new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`));
}

function measureOverlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = findShared(a, b).length;
  return shared / (a.size + b.size - shared);
}
