import { fenceAfterLine, type OpenFence } from "./fences.ts";
import { isAlone, isInCode, isLinkText, type Line, readLine } from "./line-rules.ts";
import type { IndexedSignal, MatchLevel, ResolvedToken, SignalIndex } from "./signal-index.ts";
import { MAX_TOKEN_LENGTH } from "./signal-name.ts";

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
  const from = scope === "last_line" ? lastLineStart(text) : 0;
  return scanBlock(text, from, undefined, index, scope);
}

/**
 * Scans whole lines from `from` on; `fence` is the state at the start of `text`. Looks for `[` first, and at a token's
 * surroundings only when it names a signal: text without signals costs little more than finding its brackets.
 */
export function scanBlock<Signal extends IndexedSignal>(
  text: string,
  from: number,
  fence: OpenFence | undefined,
  index: SignalIndex<Signal>,
  scope: SignalScope,
): SignalMatch<Signal>[] {
  const matches: SignalMatch<Signal>[] = [];
  const lines = scope === "anywhere" ? undefined : readLinesForward(text, fence);
  let open = text.indexOf("[", from);
  while (open !== -1) {
    const stop = findTokenStop(text, open);
    if (text.charCodeAt(stop) === 93) {
      const token = text.slice(open, stop + 1);
      const resolved = index.resolve(token);
      if (resolved !== undefined && (lines === undefined || counts(text, open, stop + 1, lines(open), index, scope))) {
        matches.push(matchOf(resolved, token, open));
      }
    }
    open = text.indexOf("[", Math.max(stop, open + 1));
  }
  return matches;
}

export function lastLineStart(text: string): number {
  return text.lastIndexOf("\n", text.trimEnd().length - 1) + 1;
}

/** The fence state at the end of `text`, which consists of whole lines. */
export function fenceAfter(text: string, fence: OpenFence | undefined): OpenFence | undefined {
  let open = fence;
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    open = fenceAfterLine(text, start, end, open);
    start = end + 1;
  }
  return open;
}

/** The place of the first `]`, `[` or line end after `open`, or where a token would grow too long. */
function findTokenStop(text: string, open: number): number {
  const limit = Math.min(text.length, open + MAX_TOKEN_LENGTH);
  let at = open + 1;
  for (; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === 93 || code === 91 || code === 10) break;
  }
  return at;
}

function counts(
  text: string,
  start: number,
  end: number,
  line: LineInContext,
  index: SignalIndex,
  scope: SignalScope,
): boolean {
  if (line.isCode || line.prefix.quoted) return false;
  if (scope === "own_line" && !isAlone(text, line, start, end, { afterListMarker: true })) return false;
  if (isInCode(line, start) && !isAlone(text, line, start, end, { afterListMarker: false })) return false;
  return !isLinkText(text, line, start, end, (token) => index.resolve(token) !== undefined);
}

interface LineInContext extends Line {
  readonly isCode: boolean;
}

/** Gives the line around an offset; offsets must come in ascending order, so that the text is walked once. */
function readLinesForward(text: string, fence: OpenFence | undefined): (offset: number) => LineInContext {
  let open = fence;
  let nextStart = 0;
  let current: LineInContext | undefined;
  return (offset) => {
    while (current === undefined || offset >= current.end) {
      const start = nextStart;
      const end = lineEnd(text, start);
      const before = open;
      open = fenceAfterLine(text, start, end, open);
      nextStart = end + 1;
      if (offset < end) current = { ...readLine(text, start, end), isCode: before !== undefined || open !== undefined };
    }
    return current;
  };
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

function matchOf<Signal extends IndexedSignal>(
  resolved: ResolvedToken<Signal>,
  token: string,
  offset: number,
): SignalMatch<Signal> {
  return { signal: resolved.signal, level: resolved.level, token, offset };
}
