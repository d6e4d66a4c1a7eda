import { BatonError } from "../errors.ts";
import { type CharacterTest, isLiteral, oneLike } from "./character-test.ts";

/** A regular expression, taken apart. */
export type Part =
  | { readonly type: "one"; readonly test: CharacterTest }
  | { readonly type: "start" | "end"; readonly ofLine: boolean }
  | { readonly type: "boundary"; readonly isWanted: boolean; readonly isWord: CharacterTest }
  | { readonly type: "all"; readonly parts: readonly Part[] }
  | { readonly type: "any"; readonly parts: readonly Part[] }
  | { readonly type: "times"; readonly part: Part; readonly least: number; readonly most: number };

export interface Pattern {
  readonly part: Part;
  /** Whether a character is a whole one, or half of one of those that take two places. */
  readonly isUnicode: boolean;
}

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
}

/** Groups within groups beyond these are nobody's. */
const DEEPEST = 100;

/**
 * Reads a regular expression of JavaScript: with Unicode's classes where it may have them; without, escapes that are not needed are
 * allowed. What no linear search can do is refused.
 */
export function parsePattern(source: string): Pattern {
  const isUnicode = isPattern(source, "u");
  if (!isUnicode && !isPattern(source, "")) throw problem("it is none");
  const base = isUnicode ? "u" : "";
  let at = 0;

  const take = (expression: RegExp): RegExpExecArray | undefined => {
    expression.lastIndex = at;
    const found = expression.exec(source) ?? undefined;
    if (found !== undefined) at += found[0].length;
    return found;
  };
  const options = (flags: Flags, depth: number): Part => {
    if (depth > DEEPEST) throw problem(`it has groups more than ${DEEPEST} deep`);
    const parts = [sequence(flags, depth)];
    while (take(/\|/y) !== undefined) parts.push(sequence(flags, depth));
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { type: "any", parts };
  };
  const sequence = (flags: Flags, depth: number): Part => {
    const parts: Part[] = [];
    while (at < source.length && !"|)".includes(source.charAt(at))) parts.push(repeated(term(flags, depth)));
    return { type: "all", parts };
  };
  const repeated = (part: Part): Part => {
    const found = take(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y);
    if (found === undefined) return part;
    const [, sign, least = "", comma, most = ""] = found;
    if (sign !== undefined) {
      return { type: "times", part, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
    }
    const upTo = comma === undefined ? least : most === "" ? "Infinity" : most;
    return { type: "times", part, least: Number(least), most: Number(upTo) };
  };
  const term = (flags: Flags, depth: number): Part => {
    if (take(/\(/y) !== undefined) return group(flags, depth);
    if (take(/\^/y) !== undefined) return { type: "start", ofLine: flags.m };
    if (take(/\$/y) !== undefined) return { type: "end", ofLine: flags.m };
    if (take(/\\[1-9k]/y) !== undefined) throw problem("it refers back to a group");
    const own = `${base}${flags.i ? "i" : ""}${flags.s ? "s" : ""}`;
    const boundary = take(/\\[bB]/y)?.[0];
    if (boundary !== undefined) return { type: "boundary", isWanted: boundary === "\\b", isWord: oneLike("\\w", own) };
    return { type: "one", test: character(own, flags.i) };
  };
  const character = (own: string, isCaseFolded: boolean): CharacterTest => {
    const written = take(isUnicode ? WRITTEN_IN_UNICODE : WRITTEN)?.[0];
    if (written !== undefined) return oneLike(written, own);
    const code = (isUnicode ? source.codePointAt(at) : source.charCodeAt(at)) ?? 0;
    at += String.fromCodePoint(code).length;
    if (!isCaseFolded) return isLiteral(code);
    const digits = code.toString(16);
    return oneLike(isUnicode ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`, own);
  };
  const group = (flags: Flags, depth: number): Part => {
    if (take(/\?<?[=!]/y) !== undefined) throw problem("it looks ahead or behind");
    const [, on = "", off = ""] = take(/\?(?:<[^>]*>|([ims]*)(?:-([ims]*))?:)/y) ?? [];
    const flag = (name: keyof Flags) => (flags[name] || on.includes(name)) && !off.includes(name);
    const part = options({ i: flag("i"), m: flag("m"), s: flag("s") }, depth + 1);
    at++;
    return part;
  };
  return { part: options({ i: false, m: false, s: false }, 0), isUnicode };
}

/** What stands for one character, besides itself: a dot, a class, an escape. */
const WRITTEN = /\.|\[(?:\\[\s\S]|[^\]\\])*\]|\\(?:u[\da-f]{4}|x[\da-f]{2}|c[a-z]|0[0-7]{0,2}|[\s\S])/iy;
const WRITTEN_IN_UNICODE =
  /\.|\[(?:\\[\s\S]|[^\]\\])*\]|\\(?:u\{[\da-f]+\}|ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|c[a-z]|[\s\S])/iy;

function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Why a text is no regular expression that can be searched for. */
export function problem(why: string): BatonError {
  return new BatonError("bad-regular-expression", why);
}
