import { skip } from "./characters.ts";
import { examineLooks, isCodeName, isPlaceholder } from "./looks-secret.ts";
import { hasToken, readToken } from "./read-known-token.ts";
import { readValue } from "./read-value.ts";
import type { Stretch, Verdict } from "./stretch.ts";
import { createTailUntil } from "./tails.ts";

const WINDOW = 128;
const STOPS = " \t\r\n\"'`,;\\";
/** An optional quote, and a scheme such as `Bearer`, which is too short to be a token itself. */
const SCHEME = /[ \t*>]{0,8}(?:\\?["'`])?(?:[A-Za-z][A-Za-z0-9-]{1,14} {1,2})?/y;
const COOKIE = /[ \t]{0,8}[\w.-]{1,64}=/y;

/** Reads what follows `Authorization:` and its scheme. */
export function readAuthorization(stretch: Stretch, at: number): Verdict {
  const { text, limit, ending } = stretch;
  const near = text.slice(at + 1, Math.min(limit, at + 1 + WINDOW));
  const isCut = at + 1 + near.length === limit && near.length < WINDOW;
  const from = skip(SCHEME, near, 0);
  let end = from;
  while (end < near.length && !STOPS.includes(near.charAt(end))) end++;
  // A trailing backslash may be the first half of a quote.
  if (isCut && end === near.length - 1 && near.endsWith("\\") && ending === "more") return "undecided";
  if (end === near.length && isCut && ending !== "end") return ending === "more" ? "undecided" : undefined;
  const value = near.slice(from, end);
  const looks = examineLooks(value);
  const hasScheme = /(?:basic|bearer|token|apikey) {1,2}$/i.test(near.slice(0, from));
  const isMixed =
    looks.hasLetter && (looks.hasDigit || (hasScheme && (/[a-z][A-Z]/.test(value) || value.length >= 20)));
  if (value.length < 8 || !isMixed || !looks.isAscii || isPlaceholder(value) || isCodeName(value)) return undefined;
  const start = at + 1 + from;
  const token = readToken({ ...stretch, floor: start, limit: at + 1 + end, ending: "redacted" }, start);
  const kind = token === undefined || token === "undecided" ? "credentials" : token.kind;
  return { start, end: at + 1 + end, kind, tail: end < near.length ? undefined : createTailUntil(STOPS) };
}

/** Reads the value of the cookie that `Set-Cookie:` sets, or of all cookies that `Cookie:` sends. */
export function readCookie(stretch: Stretch, at: number, name: "cookie" | "set-cookie"): Verdict {
  const { text, limit, ending } = stretch;
  const near = text.slice(at + 1, Math.min(limit, at + 1 + WINDOW));
  const isCut = at + 1 + near.length === limit && near.length < WINDOW;
  const from = skip(COOKIE, near, 0);
  if (from === 0) return isCut && ending === "more" && /^[ \t]*[\w.-]*$/.test(near) ? "undecided" : undefined;
  // The token rules find a token that stands in place of a name.
  if (hasToken(stretch, at + 1, at + from)) return undefined;
  const value = readValue(stretch, at + from, true);
  if (value === "undecided" || value === undefined) return value;
  if (value.text.length < 8 || isPlaceholder(value.text)) return undefined;
  const tail = createTailUntil(name === "cookie" ? "\r\n\"'`" : "\r\n\"'`;");
  return { start: value.start, end: value.start + 1, kind: "cookie", tail };
}
