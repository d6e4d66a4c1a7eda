import { findEndOfClass, readClass, WIDE } from "./characters.ts";
import { examineLooks, isCodeName, isRandomLooking } from "./looks-secret.ts";
import type { Stretch, Verdict } from "./stretch.ts";
import { createClassTail } from "./tails.ts";

const WINDOW = 64;
const BEHIND = 48;
/** A word for a secret, and at most a small word and a quote between it and the value. */
const WORDS =
  /(?:password|passwd|passphrase|secret|token|bearer|api[ _-]?key|(?:access|secret|private|auth|license)[ _-]?key|credentials?)(?: is| was| are|:)?[ "'`*]{1,4}$/i;

/** Reads a random-looking string right after a word for a secret: `the token is 8f7a…`. */
export function readNearWord({ text, floor, limit, ending }: Stretch, at: number): Verdict {
  if (at === floor || (readClass(text, at - 1) & WIDE) !== 0) return undefined;
  const end = findEndOfClass(text, at, Math.min(limit, at + WINDOW), WIDE);
  const isCut = end === limit && end - at < WINDOW;
  if (!isCut && !isRandom(text.slice(at, end))) return undefined;
  const match = WORDS.exec(text.slice(Math.max(floor, at - BEHIND), at));
  if (match === null) return undefined;
  if (isCut && ending === "more") return "undecided";
  // A value that something redacted cuts short would be judged differently the second time.
  if (isCut && (ending === "redacted" || !isRandom(text.slice(at, end)))) return undefined;
  const word = match[0].toLowerCase();
  const kind = word.includes("key")
    ? "key"
    : word.startsWith("pass")
      ? "password"
      : word.startsWith("secret")
        ? "secret"
        : "token";
  return { start: at, end, kind, tail: createClassTail(WIDE) };
}

function isRandom(value: string): boolean {
  const looks = examineLooks(value);
  return isRandomLooking(looks) && (looks.turns > 4 || !isCodeName(value));
}
