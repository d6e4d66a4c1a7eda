import { DIGIT, findEndOfClass, isWordStart, LETTER, readClass } from "./characters.ts";
import type { Stretch, Verdict } from "./stretch.ts";
import { createClassTail } from "./tails.ts";
import { type TokenKind, tokenKinds } from "./token-kinds.ts";

/** A token must show what it needs within this many characters. */
const WINDOW = 64;

const kindsByFirst = new Map<number, TokenKind[]>();
for (const kind of tokenKinds) {
  const first = kind.prefix.charCodeAt(0);
  kindsByFirst.set(first, [...(kindsByFirst.get(first) ?? []), kind]);
}

/**
 * Reads the token that begins at `at`. No kind depends on what must not follow, so that cutting a text never creates a token.
 * That is why redacting once is enough.
 */
export function readToken(stretch: Stretch, at: number): Verdict {
  let isUndecided = false;
  for (const kind of kindsByFirst.get(stretch.text.charCodeAt(at)) ?? []) {
    const verdict = readKind(stretch, at, kind);
    if (verdict === "undecided") isUndecided = true;
    // An earlier kind that is still undecided may name the token.
    else if (verdict !== undefined) return isUndecided ? "undecided" : verdict;
  }
  return isUndecided ? "undecided" : undefined;
}

/** Whether a token begins between two places and is complete before the second. */
export function hasToken(stretch: Stretch, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const isStart = isWordStart(stretch.text, at, stretch.floor);
    if (isStart && readToken({ ...stretch, limit: to, ending: "redacted" }, at) !== undefined) return true;
  }
  return false;
}

function readKind(stretch: Stretch, start: number, token: TokenKind): Verdict {
  const { text, limit, ending } = stretch;
  const { prefix, lead } = token;
  let from = start + prefix.length;
  if (from > limit) return ending === "more" && prefix.startsWith(text.slice(start, limit)) ? "undecided" : undefined;
  if (!text.startsWith(prefix, start)) return undefined;
  for (const part of lead) {
    const end = findEndOfClass(text, from, Math.min(limit, from + part.atMost), part.characters);
    if (end === limit) return ending === "more" ? "undecided" : undefined;
    if (end - from < part.atLeast || text.charAt(end) !== ".") return undefined;
    from = end + 1;
  }
  return readBody(stretch, start, from, token);
}

function readBody({ text, limit, ending }: Stretch, start: number, from: number, token: TokenKind): Verdict {
  const { lead, body, needs, kind } = token;
  let seen = 0;
  for (let at = lead.length === 0 ? from : start; at < from; at++) seen |= readClass(text, at);
  for (let at = from; at < from + Math.max(body.atLeast, WINDOW); at++) {
    if (at === limit) return ending === "more" ? "undecided" : undefined;
    const found = readClass(text, at);
    if ((found & body.characters) === 0) return undefined;
    seen |= found;
    if (at + 1 - from < body.atLeast || !hasWhat(needs, seen)) continue;
    return { start, end: at + 1, kind, tail: createClassTail(body.characters) };
  }
  return undefined;
}

function hasWhat(needs: TokenKind["needs"], seen: number): boolean {
  const [hasDigit, hasBoth] = [(seen & DIGIT) !== 0, (seen & LETTER) === LETTER];
  switch (needs) {
    case "nothing":
      return true;
    case "variety":
      return hasDigit || hasBoth;
    case "all":
      return hasDigit && hasBoth;
  }
}
