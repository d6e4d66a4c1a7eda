import type { CharacterTest } from "./character-test.ts";
import { type Part, parsePattern, problem } from "./parse-pattern.ts";

/** Whether a text has what is looked for. */
export type Matcher = (text: string) => boolean;

/** One step of the search: a character, a place, or another step. */
type Step =
  | { readonly type: "one"; readonly test: CharacterTest }
  | { readonly type: "place"; readonly holds: (before: number, after: number) => boolean }
  | { readonly type: "either"; first: number; second: number }
  | { readonly type: "jump"; to: number }
  | { readonly type: "found" };

/** Counts such as `{1000}` are written out. */
const MOST_STEPS = 2000;

/**
 * Searches for a regular expression in a time that grows with the text alone, whatever the expression: all ways of matching it are
 * followed at once, a character at a time, where JavaScript's own search tries one after the other.
 */
export function createMatcher(source: string): Matcher {
  const { part, isUnicode } = parsePattern(source);
  const steps = writeSteps(part);
  return (text) => search(steps, text, isUnicode);
}

function writeSteps(whole: Part): readonly Step[] {
  const steps: Step[] = [];
  let parts = 0;
  const write = (part: Part): void => {
    // What is empty takes no step, but may be repeated.
    if (++parts > MOST_STEPS) throw problem("it is too large: use lower counts");
    if (part.type === "one") steps.push(part);
    else if (part.type === "all") part.parts.forEach(write);
    else if (part.type === "any") writeOptions(part.parts);
    else if (part.type === "times") writeTimes(part);
    else steps.push({ type: "place", holds: placeOf(part) });
  };
  const writeOptions = (options: readonly Part[]) => {
    const ends = options.map((each, index) => {
      const either: Step = { type: "either", first: steps.length + 1, second: 0 };
      if (index < options.length - 1) steps.push(either);
      write(each);
      const end: Step = { type: "jump", to: 0 };
      steps.push(end);
      either.second = steps.length;
      return end;
    });
    for (const end of ends) end.to = steps.length;
  };
  const writeTimes = ({ part, least, most }: Extract<Part, { type: "times" }>) => {
    for (let count = 0; count < least; count++) write(part);
    const isEndless = most === Number.POSITIVE_INFINITY;
    const ways: Extract<Step, { type: "either" }>[] = [];
    for (let count = least; count < (isEndless ? least + 1 : most); count++) {
      const first = steps.length;
      const way = { type: "either" as const, first: first + 1, second: 0 };
      ways.push(way);
      steps.push(way);
      write(part);
      if (isEndless) steps.push({ type: "jump", to: first });
    }
    for (const way of ways) way.second = steps.length;
  };
  write(whole);
  steps.push({ type: "found" });
  return steps;
}

/** The code of what is before the first character and after the last. */
const NOTHING = -1;

function placeOf(
  part: Extract<Part, { type: "start" | "end" | "boundary" }>,
): (before: number, after: number) => boolean {
  if (part.type === "boundary") {
    const isWord = (code: number) => code !== NOTHING && part.isWord(code);
    return (before, after) => (isWord(before) !== isWord(after)) === part.isWanted;
  }
  const { ofLine } = part;
  const isEdge = (code: number) => code === NOTHING || (ofLine && LINE_ENDS.has(code));
  return part.type === "start" ? isEdge : (_, after) => isEdge(after);
}

const LINE_ENDS = new Set([0x0a, 0x0d, 0x20_28, 0x20_29]);

/** All ways that a search has taken up to one character of the text. */
class Ways {
  readonly #steps: readonly Step[];
  /** Where in the text each step was last come to: once is enough. */
  readonly #reached: Int32Array;
  #waiting: number[] = [];

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#reached = new Int32Array(steps.length).fill(-1);
  }

  /** Goes on over one character; says whether what is looked for ends before it. */
  goOn(at: number, before: number, after: number): boolean {
    // A match may begin at every character.
    const todo = this.#waiting;
    todo.push(0);
    this.#waiting = [];
    for (let index = todo.pop(); index !== undefined; index = todo.pop()) {
      const step = this.#steps[index];
      if (step === undefined || this.#reached[index] === at) continue;
      this.#reached[index] = at;
      if (step.type === "found") return true;
      if (step.type === "one") this.#take(step.test, after, index + 1);
      else lead(todo, step, index + 1, before, after);
    }
    return false;
  }

  #take(test: CharacterTest, code: number, next: number): void {
    if (code !== NOTHING && test(code)) this.#waiting.push(next);
  }
}

function lead(
  todo: number[],
  step: Exclude<Step, { type: "one" | "found" }>,
  next: number,
  before: number,
  after: number,
): void {
  if (step.type === "either") todo.push(step.first, step.second);
  else if (step.type === "jump") todo.push(step.to);
  else if (step.holds(before, after)) todo.push(next);
}

function search(steps: readonly Step[], text: string, isUnicode: boolean): boolean {
  const ways = new Ways(steps);
  let before = NOTHING;
  for (let at = 0; at < text.length; at += before > 0xff_ff ? 2 : 1) {
    const after = isUnicode ? (text.codePointAt(at) ?? NOTHING) : text.charCodeAt(at);
    if (ways.goOn(at, before, after)) return true;
    before = after;
  }
  return ways.goOn(text.length, before, NOTHING);
}
