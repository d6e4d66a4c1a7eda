import type { LinePrefix } from "./fences.ts";

/** One line of an answer, with what the scopes ask about it. It is computed once, however many tokens the line has. */
export interface Line {
  readonly start: number;
  readonly end: number;
  readonly prefix: LinePrefix;
  readonly codeSpans: readonly CodeSpan[];
}

export type CodeSpan = readonly [start: number, end: number];

const none: readonly CodeSpan[] = [];
const LOOK_AHEAD = 2048;
const MARKUP = new Set("*_~`# \t\r");
const TRAILING = new Set("*_~`# \t\r.!,;:?…。！？");
const URL_START = /[ \t]*(?:[</#.]|mailto:|[a-z][a-z0-9+.-]{0,20}:\/\/)/iy;

/** Finds the inline code of a line. The spans are in order and do not overlap, so that lookups can use binary search. */
export function findCodeSpans(text: string, start: number, end: number): readonly CodeSpan[] {
  const ticked = findBacktickSpans(text, start, end);
  const elements = findCodeElements(text, start, end);
  if (elements.length === 0) return ticked;
  const spans = [...ticked, ...elements];
  spans.sort((a, b) => a[0] - b[0]);
  const merged: CodeSpan[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last === undefined || span[0] >= last[1]) merged.push(span);
    else if (span[1] > last[1]) merged[merged.length - 1] = [last[0], span[1]];
  }
  return merged;
}

/** A run of backticks opens a span if a run of the same length follows; the leftmost opening wins. */
function findBacktickSpans(text: string, start: number, end: number): readonly CodeSpan[] {
  let at = text.indexOf("`", start);
  if (at === -1 || at >= end) return none;
  const runs: CodeSpan[] = [];
  while (at !== -1 && at < end) {
    const runStart = at;
    while (at < end && text.charCodeAt(at) === 96) at++;
    runs.push([runStart, at]);
    at = text.indexOf("`", at);
  }
  if (runs.length < 2) return [];
  const closers = new Map<number, number>();
  const closerOf = new Array<number | undefined>(runs.length);
  for (const [index, run] of [...runs.entries()].reverse()) {
    closerOf[index] = closers.get(run[1] - run[0]);
    closers.set(run[1] - run[0], index);
  }
  const spans: CodeSpan[] = [];
  for (let index = 0; index < runs.length; index++) {
    const closer = closerOf[index];
    const [opening, closing] = [runs[index], closer === undefined ? undefined : runs[closer]];
    if (closer === undefined || opening === undefined || closing === undefined) continue;
    spans.push([opening[0], closing[1]]);
    index = closer;
  }
  return spans;
}

function findCodeElements(text: string, start: number, end: number): readonly CodeSpan[] {
  const line = text.slice(start, end);
  let open = line.indexOf("<code>");
  if (open === -1) return none;
  const spans: CodeSpan[] = [];
  while (open !== -1) {
    const close = line.indexOf("</code>", open);
    if (close === -1) break;
    spans.push([start + open, start + close]);
    open = line.indexOf("<code>", close);
  }
  return spans;
}

/** Whether a place is in one of the spans, which are in order and do not overlap. */
export function isInSpans(spans: readonly CodeSpan[], tokenStart: number): boolean {
  let low = 0;
  let high = spans.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const span = spans[middle];
    if (span === undefined) return false;
    if (tokenStart < span[0]) high = middle - 1;
    else if (tokenStart >= span[1]) low = middle + 1;
    else return true;
  }
  return false;
}

/** Whether the line contains only the token, markup and trailing punctuation; list markers only if allowed. */
export function isAlone(
  text: string,
  line: Line,
  tokenStart: number,
  tokenEnd: number,
  options: { readonly afterListMarker: boolean },
): boolean {
  const from = options.afterListMarker ? line.prefix.textStart : line.start;
  for (let at = tokenStart - 1; at >= from; at--) if (!MARKUP.has(text.charAt(at))) return false;
  for (let at = tokenEnd; at < line.end; at++) if (!TRAILING.has(text.charAt(at))) return false;
  return true;
}

const LETTER = /[\p{L}\p{N}_$]/u;
/** Scripts without spaces between words, in which a token may follow a word directly. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const LONGEST_NAME = 64;

/** Whether the token is the index in `list[END]`: a name with a letter is directly before it. */
export function isIndex(text: string, tokenStart: number): boolean {
  if (tokenStart === 0) return false;
  const code = text.charCodeAt(tokenStart - 1);
  // Most tokens follow a space or punctuation. Emphasis ends in `_`, names hardly ever do.
  if (code < 128 && !isAsciiLetterOrDigit(code) && code !== 36) return false;
  for (let at = tokenStart - 1; at >= Math.max(0, tokenStart - LONGEST_NAME); at--) {
    const character = text.charAt(at);
    if (!LETTER.test(character) || UNSPACED.test(character)) return false;
    if (character < "0" || character > "9") return true;
  }
  return false;
}

function isAsciiLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/**
 * Whether the token is a link's text or a link's definition. `namesSignal` distinguishes `[OK][DONE]` from `[text][reference]`.
 */
export function isLinkText(
  text: string,
  line: Line,
  tokenStart: number,
  tokenEnd: number,
  namesSignal: (token: string) => boolean,
): boolean {
  const next = text[tokenEnd];
  // `[[END]](url)` is a link whose text is `[END]`.
  const isInner = next === "]" && text[tokenStart - 1] === "[" && text[tokenEnd + 1] === "(";
  if (isInner) return isLinkDestination(text, tokenEnd + 2, line.end);
  if (next === "(") return isLinkDestination(text, tokenEnd + 1, line.end);
  if (next === "[") {
    const close = text.slice(tokenEnd, Math.min(line.end, tokenEnd + LOOK_AHEAD)).indexOf("]");
    return close !== -1 && !namesSignal(text.slice(tokenEnd, tokenEnd + close + 1));
  }
  if (next === ":" && tokenStart === line.prefix.textStart) {
    URL_START.lastIndex = tokenEnd + 1;
    return URL_START.test(text);
  }
  return false;
}

/** `(url)` or `(url "title")`, but not `(some words)`. */
function isLinkDestination(text: string, start: number, lineEnd: number): boolean {
  const rest = text.slice(start, Math.min(lineEnd, start + LOOK_AHEAD));
  const stop = rest.search(/[\s)]/);
  if (stop === -1) return false;
  return rest[stop] === ")" || /^["'(]/.test(rest.slice(stop).trimStart());
}
