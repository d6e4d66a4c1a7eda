import { Blocks } from "./blocks.ts";
import { type CodeSpan, findCodeSpans, isAlone, isIndex, isInSpans, isLinkText, type Line } from "./line-rules.ts";
import { readToken, type TokenReading } from "./read-token.ts";
import type { IndexedSignal, MatchLevel, ResolvedToken, SignalIndex } from "./signal-index.ts";
import { MAX_TOKEN_LENGTH } from "./signal-name.ts";

/** Every scope of signals, as `signal_scope` takes it. */
export const signalScopes = ["anywhere", "outside_code", "own_line", "last_line"] as const;

/** Where in an answer a token counts. */
export type SignalScope = (typeof signalScopes)[number];

/** A token in a text that names a signal. */
export interface SignalMatch<Signal extends IndexedSignal = IndexedSignal> {
  readonly signal: Signal;
  readonly level: MatchLevel;
  /** As it appears in the text, with the backslashes of `\[END\]`. */
  readonly token: string;
  readonly offset: number;
}

/** Finds every token of a whole answer that counts under `scope`, in text order. */
export function scanSignals<Signal extends IndexedSignal>(
  text: string,
  index: SignalIndex<Signal>,
  scope: SignalScope,
): SignalMatch<Signal>[] {
  return scanBlock(text, undefined, index, scope);
}

/**
 * Scans whole lines. `blocks` is the state before them; undefined at the beginning of a text. The scan looks for `[` first, and
 * at the surroundings of a token only if it names a signal, so text without signals costs little more than finding its
 * brackets.
 */
export function scanBlock<Signal extends IndexedSignal>(
  text: string,
  blocks: Blocks | undefined,
  index: SignalIndex<Signal>,
  scope: SignalScope,
): SignalMatch<Signal>[] {
  let matches: SignalMatch<Signal>[] | undefined;
  const reading: TokenReading = { stop: 0, isToken: false, hash: 0, isAscii: true, nameEnd: 0 };
  let surroundings: Surroundings | undefined;
  let open = text.indexOf("[");
  while (open !== -1) {
    readToken(text, open, reading);
    const end = reading.stop + 1;
    const resolved = resolveToken(text, open, reading, index);
    if (resolved !== undefined) {
      const start = text.charCodeAt(open - 1) === 92 ? open - 1 : open;
      surroundings ??= readSurroundings(text, blocks, scope);
      const line = typeof surroundings === "function" ? surroundings(start) : surroundings;
      if (scope === "anywhere" || isInScope(text, start, end, line, index, scope)) {
        const { signal, level } = resolved;
        const match = { signal, level, token: text.slice(start, end), offset: start };
        if (matches === undefined) matches = [match];
        else matches.push(match);
      }
    }
    open = text.indexOf("[", Math.max(reading.stop, open + 1));
  }
  return matches ?? [];
}

/**
 * Finds the first token that names a wanted signal, wherever it is. A token that is cut off at the end of the text may still
 * become one, so it is reported as uncertain. If there is none, the result is the end of the text.
 */
export function findFirstCandidate<Signal extends IndexedSignal>(
  text: string,
  index: SignalIndex<Signal>,
  isWanted: (signal: Signal) => boolean,
): { readonly at: number; readonly isCertain: boolean } {
  const reading: TokenReading = { stop: 0, isToken: false, hash: 0, isAscii: true, nameEnd: 0 };
  for (let open = text.indexOf("["); open !== -1; open = text.indexOf("[", Math.max(reading.stop, open + 1))) {
    readToken(text, open, reading);
    const resolved = resolveToken(text, open, reading, index);
    if (resolved !== undefined && isWanted(resolved.signal)) return { at: open, isCertain: true };
    if (isCutOff(text, open, reading)) return { at: open, isCertain: false };
  }
  return { at: text.length, isCertain: false };
}

/** Whether the text ends in the middle of a possible token. */
function isCutOff(text: string, open: number, { stop, isToken }: TokenReading): boolean {
  if (isToken) return false;
  if (stop === text.length) return stop < open + MAX_TOKEN_LENGTH;
  return stop === text.length - 1 && text.charCodeAt(stop) === 92;
}

function resolveToken<Signal extends IndexedSignal>(
  text: string,
  open: number,
  reading: TokenReading,
  index: SignalIndex<Signal>,
): ResolvedToken<Signal> | undefined {
  if (!reading.isToken || (reading.isAscii && !index.mayResolve(reading.hash))) return undefined;
  const { nameEnd, stop } = reading;
  return index.resolve(nameEnd === stop ? text.slice(open, stop + 1) : `${text.slice(open, nameEnd)}]`);
}

export function findLastLineStart(text: string): number {
  return text.lastIndexOf("\n", text.trimEnd().length - 1) + 1;
}

/** Moves `blocks` past `text`, which consists of whole lines. */
export function passLines(text: string, blocks: Blocks): void {
  for (let start = 0; start < text.length; ) {
    const end = findLineEnd(text, start);
    blocks.take(text, start, end);
    start = end + 1;
  }
}

function isInScope(
  text: string,
  start: number,
  end: number,
  line: LineInContext,
  index: SignalIndex,
  scope: SignalScope,
): boolean {
  if (line.isCode || line.isTooEarly || line.prefix.quoted || isInSpans(line.hidden, start)) return false;
  if (isIndex(text, start)) return false;
  if (scope === "own_line" && !isAlone(text, line, start, end, { afterListMarker: true })) return false;
  if (isInSpans(line.codeSpans, start) && !isAlone(text, line, start, end, { afterListMarker: false })) return false;
  return !isLinkText(text, line, start, end, (token) => index.resolve(token) !== undefined);
}

interface LineInContext extends Line {
  readonly isCode: boolean;
  readonly hidden: readonly CodeSpan[];
  readonly isTooEarly: boolean;
}

/** The line around an offset. If the text is one plain line, it is the same for all offsets. */
type Surroundings = LineInContext | ((offset: number) => LineInContext);

function readSurroundings(text: string, before: Blocks | undefined, scope: SignalScope): Surroundings {
  if (before === undefined && isPlainLine(text)) return plainLine(text.length);
  return readLinesForward(text, before, scope === "last_line" ? findLastLineStart(text) : 0);
}

const none: readonly never[] = [];
const noPrefix = { textStart: 0, quoted: false };

function plainLine(end: number): LineInContext {
  return { start: 0, end, prefix: noPrefix, codeSpans: none, isCode: false, hidden: none, isTooEarly: false };
}

/** Whether a text is one line of words without code, quotes or lists, as most answers with a signal are. */
function isPlainLine(text: string): boolean {
  const first = text.charCodeAt(0) | 32;
  return first >= 97 && first <= 122 && !text.includes("\n") && !text.includes("`") && !text.includes("<");
}

/** Returns the line around an offset. Offsets must be ascending, so that the text is walked only once. */
function readLinesForward(
  text: string,
  before: Blocks | undefined,
  firstThatCounts: number,
): (offset: number) => LineInContext {
  const blocks = before?.copy() ?? new Blocks();
  let nextStart = 0;
  let current: LineInContext | undefined;
  return (offset) => {
    while (current === undefined || offset >= current.end) {
      const start = nextStart;
      const end = findLineEnd(text, start);
      const prefix = blocks.take(text, start, end);
      nextStart = end + 1;
      if (offset >= end) continue;
      const { isCode, hidden } = blocks;
      const codeSpans = findCodeSpans(text, start, end);
      current = { start, end, prefix, codeSpans, isCode, hidden, isTooEarly: start < firstThatCounts };
    }
    return current;
  };
}

function findLineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}
