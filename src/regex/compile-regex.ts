import { type Edge, parseRegex, type RegexNode, RegexRefused } from "./parse-regex.ts";

/** A regular expression that takes time linear in the text it is tried on. */
export interface LinearRegex {
  test(text: string): boolean;
}

/** Users' expressions meet what models write: none may be able to stop the process. So many steps a character may take. */
const MAX_STATES = 2000;

/**
 * JavaScript's regular expressions, less what cannot be matched in linear time: looking around, and referring back. With
 * Unicode's classes where it may have them; without, escapes that are not needed are allowed.
 */
export function compileRegex(source: string): LinearRegex | { readonly problem: string } {
  const flags = chooseFlags(source);
  if (flags === undefined) return { problem: "is none" };
  try {
    const program = assemble(parseRegex(source, flags));
    return { test: (text) => run(program, flags === "u" ? [...text] : text.split("")) };
  } catch (error) {
    if (error instanceof RegexRefused) return { problem: error.message };
    throw error;
  }
}

function chooseFlags(source: string): "u" | "" | undefined {
  return (["u", ""] as const).find((flags) => {
    try {
      return new RegExp(source, flags) !== undefined;
    } catch {
      return false;
    }
  });
}

/** One state of many: a character, an edge, a fork, or the end. States name those that follow by their numbers. */
type State =
  | CharState
  | { readonly type: "edge"; readonly edge: Edge; readonly next: number }
  | { readonly type: "fork"; readonly next: number[] }
  | { readonly type: "match" };

interface CharState {
  readonly type: "char";
  fits(char: string): boolean;
  readonly next: number;
}

interface Program {
  readonly states: readonly State[];
  readonly start: number;
}

/** From the end to the beginning, so that what follows is known. */
function assemble(root: RegexNode): Program {
  const states: State[] = [{ type: "match" }];
  const add = (state: State): number => {
    if (states.length >= MAX_STATES) throw new RegexRefused("repeats too much");
    return states.push(state) - 1;
  };
  const build = (node: RegexNode, next: number): number => {
    switch (node.type) {
      case "char":
      case "edge":
        return add({ ...node, next });
      case "sequence":
        return node.items.reduceRight((after, item) => build(item, after), next);
      case "choice":
        return add({ type: "fork", next: node.options.map((option) => build(option, next)) });
      case "repeat":
        return buildRepeat(node, next);
    }
  };
  const buildRepeat = ({ item, min, max }: Extract<RegexNode, { type: "repeat" }>, next: number): number => {
    let after = next;
    if (max === Number.POSITIVE_INFINITY) {
      const fork: number[] = [next];
      after = add({ type: "fork", next: fork });
      fork.push(build(item, after));
    } else {
      for (let count = min; count < max; count++) after = add({ type: "fork", next: [next, build(item, after)] });
    }
    for (let count = 0; count < min; count++) after = build(item, after);
    return after;
  };
  return { states, start: build(root, 0) };
}

/** Goes through the text once, in all states at once that it may be in. */
function run({ states, start }: Program, chars: readonly string[]): boolean {
  /** At which position each state was last entered. */
  const entered = new Int32Array(states.length).fill(-1);
  let current: number[] = [start];
  for (let at = 0; ; at++) {
    const waiting: CharState[] = [];
    for (let number = current.pop(); number !== undefined; number = current.pop()) {
      const state = entered[number] === at ? undefined : states[number];
      entered[number] = at;
      if (state?.type === "match") return true;
      if (state?.type === "char") waiting.push(state);
      else if (state !== undefined) current.push(...freely(state, chars, at));
    }
    const char = chars[at];
    if (char === undefined) return false;
    current = [start, ...waiting.filter((state) => state.fits(char)).map(({ next }) => next)];
  }
}

/** Where a state leads without taking a character. */
function freely(state: Exclude<State, CharState | { type: "match" }>, chars: readonly string[], at: number): number[] {
  if (state.type === "fork") return state.next;
  return holds(state.edge, chars, at) ? [state.next] : [];
}

function holds(edge: Edge, chars: readonly string[], at: number): boolean {
  if (edge === "start") return at === 0;
  if (edge === "end") return at === chars.length;
  const isBoundary = isWord(chars[at - 1]) !== isWord(chars[at]);
  return isBoundary === (edge === "boundary");
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /^\w$/.test(char);
}
