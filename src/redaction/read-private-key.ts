import { ALNUM, findEndOfClass, SIGN, skip } from "./characters.ts";
import type { Stretch, TailEnd, Verdict } from "./stretch.ts";

export const KEY_OPENING = "-----BEGIN ";
const KEY_ENDING = "-----END ";
const DASHES = "-----";
/** The longest label between the dashes, and the longest distance from it to the key itself. */
const LABEL = 48;
const HEADERS = 400;
/** The least length of a line of a key. Shorter lines are words of a sentence that mentions a key. */
const LINE = 24;
const BODY = ALNUM | SIGN;
const HEADER = /(?:[A-Za-z][A-Za-z-]{1,20}: [^\n\\]{0,100}(?:\r?\n|\\r\\n|\\n)){1,4}/y;
/** White space, also written as `\n`, as in JSON. */
const BLANK = /(?:[ \t\r\n"']|\\{1,2}[rnt])+/y;

/** Reads the private key that begins with the `-----BEGIN ` at `start`. Certificates and public keys are not secret. */
export function readPrivateKey({ text, limit, ending }: Stretch, start: number): Verdict {
  const from = start + KEY_OPENING.length;
  const unknown = ending === "more" ? "undecided" : undefined;
  const near = text.slice(from, Math.min(limit, from + LABEL + HEADERS));
  const labelEnd = near.indexOf(DASHES);
  if (labelEnd === -1) return near.length < LABEL ? unknown : undefined;
  if (labelEnd > LABEL || !near.slice(0, labelEnd).includes("PRIVATE KEY")) return undefined;
  let at = skip(BLANK, near, labelEnd + DASHES.length);
  at = skip(BLANK, near, skip(HEADER, near, at));
  const end = findEndOfClass(near, at, near.length, BODY);
  if (end - at >= LINE) return { start, end: from + end, kind: "private key", tail: readTail };
  return near.length < LABEL + HEADERS ? unknown : undefined;
}

/** The lines of a key, and the line that ends it if there is one. */
function readTail({ text, limit, ending }: Stretch, from: number): TailEnd {
  let at = from;
  while (at < limit && (findEndOfClass(text, at, at + 1, BODY) > at || isBlank(text.charCodeAt(at)))) at++;
  const close = text.slice(at, Math.min(limit, at + KEY_ENDING.length + LABEL + DASHES.length));
  const closeEnd = close.startsWith(KEY_ENDING) ? close.indexOf(DASHES, KEY_ENDING.length) : -1;
  if (closeEnd !== -1) return { end: at + closeEnd + DASHES.length, isOver: true };
  const mayClose = KEY_ENDING.startsWith(close) || close.startsWith(KEY_ENDING);
  const isCut = at + close.length === limit && close.length < KEY_ENDING.length + LABEL + DASHES.length;
  if (ending === "more" && mayClose && isCut) return { end: at, isOver: false };
  return { end: at, isOver: true };
}

/** White space or the backslash of a written `\n`. */
function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 92;
}
