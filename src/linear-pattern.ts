/** A regular expression that takes time in proportion to the text: all ways are followed at once, none is gone back on. */
export interface LinearPattern {
  test(text: string): boolean;
}

/** Why an expression cannot be used. */
export class PatternProblem extends Error {}

const MAX_LENGTH = 2000;
/** Where counted repetitions would make an expression larger than this, it is refused. */
const MAX_STEPS = 5000;

/** JavaScript's regular expressions but for lookaround, back references and flags; throws where one cannot be used. */
export function compileLinear(source: string): LinearPattern {
  if (source.length > MAX_LENGTH) throw new PatternProblem(`it is longer than ${MAX_LENGTH} characters`);
  const flags = flagsOf(source);
  const steps: Step[] = [];
  write(readAlternatives({ source, flags, at: 0 }), steps);
  steps.push({ type: "end" });
  return { test: (text) => isFound(steps, flags === "u" ? [...text] : text.split("")) };
}

/** With Unicode's classes where it may have them; without, escapes that are not needed are allowed. */
function flagsOf(source: string): "u" | "" {
  try {
    new RegExp(source, "u");
    return "u";
  } catch {
    try {
      new RegExp(source);
      return "";
    } catch (error) {
      throw new PatternProblem("it is not well formed", { cause: error });
    }
  }
}

type Fits = (character: string) => boolean;
type Holds = (before: string, after: string) => boolean;

type Test = { readonly type: "character"; readonly fits: Fits } | { readonly type: "border"; readonly holds: Holds };

/** An expression, as it was read; that it is well formed is known. */
type Part =
  | Test
  | { readonly type: "sequence"; readonly parts: readonly Part[] }
  | { readonly type: "alternatives"; readonly parts: readonly Part[] }
  | { readonly type: "repeated"; readonly part: Part; readonly least: number; readonly most: number };

interface Reading {
  readonly source: string;
  readonly flags: "u" | "";
  at: number;
}

function readAlternatives(reading: Reading): Part {
  const parts = [readSequence(reading)];
  while (reading.source.charAt(reading.at) === "|") {
    reading.at++;
    parts.push(readSequence(reading));
  }
  return { type: "alternatives", parts };
}

function readSequence(reading: Reading): Part {
  const parts: Part[] = [];
  while (reading.at < reading.source.length && !"|)".includes(reading.source.charAt(reading.at)))
    parts.push(readRepeated(reading));
  return { type: "sequence", parts };
}

function readRepeated(reading: Reading): Part {
  const part = readPart(reading);
  const [quantifier] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(reading.source.slice(reading.at)) ?? [];
  if (quantifier === undefined) return part;
  reading.at += quantifier.length;
  return { type: "repeated", part, ...boundsOf(quantifier) };
}

function boundsOf(quantifier: string): { readonly least: number; readonly most: number } {
  const endless = Number.POSITIVE_INFINITY;
  if (quantifier.startsWith("*")) return { least: 0, most: endless };
  if (quantifier.startsWith("+")) return { least: 1, most: endless };
  if (quantifier.startsWith("?")) return { least: 0, most: 1 };
  const [least = "", most = least] = quantifier.replace(/[{}?]/g, "").split(",");
  return { least: Number(least), most: most === "" ? endless : Number(most) };
}

/** A class, an escape or any other character, as the expression has it. */
const CHARACTER =
  /^(?:\[(?:[^\]\\]|\\[\s\S])*\]|\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[\s\S])|[\s\S])/;

/** One character, border or group. */
function readPart(reading: Reading): Part {
  const { source, flags, at } = reading;
  if (source.charAt(at) === "(") return readGroup(reading);
  const letter = String.fromCodePoint(source.codePointAt(at) ?? 0);
  const [unit = ""] = CHARACTER.exec(source.slice(at)) ?? [];
  const text = flags === "u" && letter.length > 1 ? letter : unit;
  reading.at += text.length;
  const holds = borders[text];
  if (holds !== undefined) return { type: "border", holds };
  if (/^\\[1-9k]/.test(text)) throw new PatternProblem("it refers back to a group");
  return { type: "character", fits: fitting(text, flags) };
}

const isWord: Fits = (character) => /^\w$/.test(character);

const borders: Readonly<Record<string, Holds>> = {
  "^": (before) => before === "",
  $: (_, after) => after === "",
  "\\b": (before, after) => isWord(before) !== isWord(after),
  "\\B": (before, after) => isWord(before) === isWord(after),
};

function fitting(text: string, flags: string): Fits {
  if (/^[^.[\\]/.test(text)) return (character) => character === text;
  const one = new RegExp(`^(?:${text})$`, flags);
  return (character) => one.test(character);
}

function readGroup(reading: Reading): Part {
  const { source, at } = reading;
  const [opening = ""] = /^\((?:\?:|\?<[^>=!]+>)?/.exec(source.slice(at)) ?? [];
  if (source.charAt(at + opening.length) === "?") throw new PatternProblem("it looks ahead or behind, or sets flags");
  reading.at += opening.length;
  const part = readAlternatives(reading);
  reading.at++;
  return part;
}

type Step =
  | Test
  /** Goes on at several places at once. */
  | { readonly type: "fork"; to: readonly number[] }
  | { readonly type: "end" };

/** Each step is followed by the next, but for forks. */
function write(part: Part, steps: Step[]): void {
  if (steps.length > MAX_STEPS) throw new PatternProblem("it repeats too much");
  if (part.type === "alternatives") writeAlternatives(part.parts, steps);
  else if (part.type === "repeated") writeRepeated(part, steps);
  else if (part.type === "sequence") for (const each of part.parts) write(each, steps);
  else steps.push(part);
}

type Fork = Extract<Step, { type: "fork" }>;

function pushFork(steps: Step[]): Fork {
  const fork: Fork = { type: "fork", to: [steps.length + 1] };
  steps.push(fork);
  return fork;
}

function writeAlternatives(parts: readonly Part[], steps: Step[]): void {
  const fork = pushFork(steps);
  const starts: number[] = [];
  const ends: Fork[] = [];
  for (const part of parts) {
    starts.push(steps.length);
    write(part, steps);
    ends.push(pushFork(steps));
  }
  fork.to = starts;
  for (const end of ends) end.to = [steps.length];
}

function writeRepeated({ part, least, most }: Extract<Part, { type: "repeated" }>, steps: Step[]): void {
  for (let times = 0; times < least; times++) write(part, steps);
  const exits: Fork[] = [];
  const times = most === Number.POSITIVE_INFINITY ? 1 : most - least;
  for (let more = 0; more < times; more++) {
    const start = steps.length;
    exits.push(pushFork(steps));
    write(part, steps);
    if (most === Number.POSITIVE_INFINITY) pushFork(steps).to = [start];
  }
  for (const exit of exits) exit.to = [...exit.to, steps.length];
}

/** Follows every way through the steps, one character after the other; a way may begin anywhere. */
function isFound(steps: readonly Step[], characters: readonly string[]): boolean {
  let waiting: number[] = [];
  for (let at = 0; at <= characters.length; at++) {
    const [before = "", after = ""] = [characters[at - 1], characters[at]];
    const reached = reach(steps, [...waiting, 0], before, after);
    if (reached === "end") return true;
    waiting = [];
    for (const index of reached) {
      const step = steps[index];
      if (step?.type === "character" && after !== "" && step.fits(after)) waiting.push(index + 1);
    }
  }
  return false;
}

/** The characters that may come next, past all forks and borders; each step is looked at once. */
function reach(steps: readonly Step[], from: number[], before: string, after: string): readonly number[] | "end" {
  const seen = new Set<number>();
  const characters: number[] = [];
  for (let index = from.pop(); index !== undefined; index = from.pop()) {
    const step = steps[index];
    if (step === undefined || seen.has(index)) continue;
    seen.add(index);
    if (step.type === "end") return "end";
    if (step.type === "character") characters.push(index);
    else if (step.type === "fork") from.push(...step.to);
    else if (step.holds(before, after)) from.push(index + 1);
  }
  return characters;
}
