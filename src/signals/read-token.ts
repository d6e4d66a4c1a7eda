import { MAX_TOKEN_LENGTH } from "./signal-name.ts";
import { EMPTY_HASH, mixHash } from "./token-hash.ts";

/** What is read at a `[`. One object is reused for all tokens, since a text may contain thousands of brackets. */
export interface TokenReading {
  /** Where the reading stopped: at `]`, at a character that cannot be in a token, or at the length limit. */
  stop: number;
  isToken: boolean;
  /** The hash of the normalised name, if it is ASCII. Other names must be looked up. */
  hash: number;
  isAscii: boolean;
  /** Where the name ends: before `]`, or before the backslash of `\]`, which is Markdown's escape. */
  nameEnd: number;
}

/** Reads from the `[` at `open` to its `]` on the same line, and hashes the normalised name on the way. */
export function readToken(text: string, open: number, reading: TokenReading): void {
  const limit = Math.min(text.length, open + MAX_TOKEN_LENGTH);
  let hash = EMPTY_HASH;
  let isSeparated = false;
  reading.isAscii = true;
  reading.isToken = false;
  let at = open + 1;
  reading.nameEnd = at;
  for (; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === 93 || code === 92) {
      at = endToken(text, at, reading);
      break;
    }
    if (code === 91 || code === 10) break;
    if (code > 127) reading.isAscii = false;
    else if (isSeparator(code)) isSeparated = hash !== EMPTY_HASH;
    else {
      if (isSeparated) hash = mixHash(hash, 32);
      isSeparated = false;
      hash = mixHash(hash, code >= 65 && code <= 90 ? code + 32 : code);
    }
  }
  reading.stop = at;
  reading.hash = hash;
}

/** Ends a token at `]` or `\]`. A backslash before anything else is never part of a name. */
function endToken(text: string, at: number, reading: TokenReading): number {
  const close = text.charCodeAt(at) === 92 ? at + 1 : at;
  reading.isToken = text.charCodeAt(close) === 93;
  reading.nameEnd = at;
  return reading.isToken ? close : at;
}

/** Space, `_`, `-`, and the other white space of ASCII. */
function isSeparator(code: number): boolean {
  return code === 32 || code === 95 || code === 45 || (code >= 9 && code <= 13);
}
