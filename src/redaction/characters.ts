/** Classes of ASCII characters, as bits that can be combined. Other characters have no class. */
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 4;
export const UNDERSCORE = 8;
export const DASH = 16;
export const DOT = 32;
/** The `+`, `/`, `=` of base64, the `%` that encodes them, and the `~` of some tokens. */
export const SIGN = 64;
export const HEX = 128;

export const LETTER = LOWER | UPPER;
export const ALNUM = LETTER | DIGIT;
export const WORD = ALNUM | UNDERSCORE | DASH;
/** The characters that tokens of all kinds consist of. */
export const WIDE = WORD | DOT | SIGN;

const classes = new Uint8Array(128);
for (const [characters, bits] of [
  ["abcdefghijklmnopqrstuvwxyz", LOWER],
  ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", UPPER],
  ["0123456789", DIGIT],
  ["0123456789abcdefABCDEF", HEX],
  ["_", UNDERSCORE],
  ["-", DASH],
  [".", DOT],
  ["+/=~%", SIGN],
] as const) {
  for (const character of characters) {
    const code = character.charCodeAt(0);
    classes[code] = (classes[code] ?? 0) | bits;
  }
}

/** The classes of the character at `at`. */
export function readClass(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (classes[code] ?? 0) : 0;
}

/** Finds the end of the run of `mask` characters that begins at `from`. */
export function findEndOfClass(text: string, from: number, limit: number, mask: number): number {
  let at = from;
  while (at < limit && (readClass(text, at) & mask) !== 0) at++;
  return at;
}

/** Matches a sticky expression of bounded length at `at` only, and returns where the match ends. */
export function skip(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}

/** Creates a test for character codes; `characters` must be ASCII. */
export function createCharacterSet(characters: string): (code: number) => boolean {
  const members = new Uint8Array(128);
  for (const character of characters) members[character.charCodeAt(0)] = 1;
  return (code) => code < 128 && members[code] === 1;
}

/**
 * Whether a word begins at `at`. That is so at `floor`, after a character that is not a letter or digit, and after a letter or
 * digit that ends an escape such as `\n`, `%20` or a terminal colour.
 */
export function isWordStart(text: string, at: number, floor: number): boolean {
  if ((readClass(text, at) & ALNUM) === 0) return false;
  if (at === floor) return true;
  const before = readClass(text, at - 1);
  return (before & ALNUM) === 0 || isEndOfEscape(text, at, floor, before);
}

function isEndOfEscape(text: string, at: number, floor: number, before: number): boolean {
  if (at - 2 < floor) return false;
  const code = text.charCodeAt(at - 1);
  if (text.charCodeAt(at - 2) === BACKSLASH) return code === 110 || code === 114 || code === 116;
  if ((before & HEX) !== 0) return at - 3 >= floor && text.charCodeAt(at - 3) === PERCENT;
  return code === 109 && COLOUR.test(text.slice(Math.max(floor, at - 12), at));
}

const BACKSLASH = 92;
const PERCENT = 37;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what such codes begin with
const COLOUR = /\u001b\[[\d;]{0,9}m$/;
