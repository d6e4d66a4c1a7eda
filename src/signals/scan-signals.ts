import { fenceAfterLine, type OpenFence, readLinePrefix } from "./fences.ts";
import { findCodeSpans, isAlone, isInCode, isLinkText, type Line } from "./line-rules.ts";
import { readToken, type TokenReading } from "./read-token.ts";
import type { IndexedSignal, MatchLevel, ResolvedToken, SignalIndex } from "./signal-index.ts";

export const signalScopes = ["anywhere", "outside_code", "own_line", "last_line"] as const;

/** Where in an answer a token counts. */
export type SignalScope = (typeof signalScopes)[number];

export interface SignalMatch<Signal extends IndexedSignal = IndexedSignal> {
  readonly signal: Signal;
  readonly level: MatchLevel;
  readonly token: string;
  readonly offset: number;
}

/** Every token of a whole answer that counts under `scope`, in text order. */
export function scanSignals<Signal extends IndexedSignal>(
  text: string,
  index: SignalIndex<Signal>,
  scope: SignalScope,
): SignalMatch<Signal>[] {
  return scanBlock(text, undefined, index, scope);
}

/**
 * Scans whole lines; `fence` is the state before them. Looks for `[` first, and at a token's surroundings only when it
 * names a signal: text without signals costs little more than finding its brackets.
 */
export function scanBlock<Signal extends IndexedSignal>(
  text: string,
  fence: OpenFence | undefined,
  index: SignalIndex<Signal>,
  scope: SignalScope,
): SignalMatch<Signal>[] {
  let matches: SignalMatch<Signal>[] | undefined;
  const reading: TokenReading = { stop: 0, isToken: false, hash: 0, isAscii: true };
  let surroundings: ((offset: number) => LineInContext) | undefined;
  let open = text.indexOf("[");
  while (open !== -1) {
    readToken(text, open, reading);
    const end = reading.stop + 1;
    const resolved = resolveToken(text, open, end, reading, index);
    if (resolved !== undefined) {
      surroundings ??= readLinesForward(text, fence, scope === "last_line" ? lastLineStart(text) : 0);
      if (scope === "anywhere" || counts(text, open, end, surroundings(open), index, scope)) {
        const { signal, level } = resolved;
        const match = { signal, level, token: text.slice(open, end), offset: open };
        if (matches === undefined) matches = [match];
        else matches.push(match);
      }
    }
    open = text.indexOf("[", Math.max(reading.stop, open + 1));
  }
  return matches ?? [];
}

function resolveToken<Signal extends IndexedSignal>(
  text: string,
  open: number,
  end: number,
  reading: TokenReading,
  index: SignalIndex<Signal>,
): ResolvedToken<Signal> | undefined {
  if (!reading.isToken || (reading.isAscii && !index.mayResolve(reading.hash))) return undefined;
  return index.resolve(text.slice(open, end));
}

export function lastLineStart(text: string): number {
  return text.lastIndexOf("\n", text.trimEnd().length - 1) + 1;
}

/** The fence state at the end of `text`, which consists of whole lines. */
export function fenceAfter(text: string, fence: OpenFence | undefined): OpenFence | undefined {
  let open = fence;
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    open = fenceAfterLine(text, readLinePrefix(text, start, end), end, open);
    start = end + 1;
  }
  return open;
}

function counts(
  text: string,
  start: number,
  end: number,
  line: LineInContext,
  index: SignalIndex,
  scope: SignalScope,
): boolean {
  if (line.isCode || line.isTooEarly || line.prefix.quoted) return false;
  if (scope === "own_line" && !isAlone(text, line, start, end, { afterListMarker: true })) return false;
  if (isInCode(line, start) && !isAlone(text, line, start, end, { afterListMarker: false })) return false;
  return !isLinkText(text, line, start, end, (token) => index.resolve(token) !== undefined);
}

interface LineInContext extends Line {
  readonly isCode: boolean;
  readonly isTooEarly: boolean;
}

/** Gives the line around an offset; offsets must come in ascending order, so that the text is walked once. */
function readLinesForward(
  text: string,
  fence: OpenFence | undefined,
  firstThatCounts: number,
): (offset: number) => LineInContext {
  let open = fence;
  let nextStart = 0;
  let current: LineInContext | undefined;
  return (offset) => {
    while (current === undefined || offset >= current.end) {
      const start = nextStart;
      const end = lineEnd(text, start);
      const before = open;
      const prefix = readLinePrefix(text, start, end);
      open = fenceAfterLine(text, prefix, end, open);
      nextStart = end + 1;
      if (offset >= end) continue;
      const isCode = before !== undefined || open !== undefined;
      const codeSpans = findCodeSpans(text, start, end);
      current = { start, end, prefix, codeSpans, isCode, isTooEarly: start < firstThatCounts };
    }
    return current;
  };
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}
