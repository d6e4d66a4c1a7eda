import { DIGIT, findEndOfClass, LETTER, readClass, WORD } from "./characters.ts";
import { readAssignment } from "./read-assignment.ts";
import { readAuthorization, readCookie } from "./read-header.ts";
import { readNameBefore } from "./read-name-before.ts";
import { readUrl } from "./read-url.ts";
import { readSecretName } from "./secret-name.ts";
import type { Stretch, Verdict } from "./stretch.ts";
import { createClassTail } from "./tails.ts";

const TELEGRAM_LENGTH = 33;

/** Reads the secret after the `:` or `=` at `at`; the text before the separator decides whether it is one. */
export function readSeparator(stretch: Stretch, at: number): Verdict {
  const { text, floor } = stretch;
  if (text.charAt(at) === ":" && at > floor) {
    const before = readClass(text, at - 1);
    if ((before & DIGIT) !== 0) return readTelegramToken(stretch, at);
    if ((before & LETTER) !== 0 && mayBeUrl(stretch, at)) return readUrl(stretch, at);
  }
  const name = readNameBefore(stretch, at);
  if (name === undefined) return undefined;
  const plain = name.text.toLowerCase();
  if (plain.endsWith("authorization")) return readAuthorization(stretch, at);
  if (plain === "cookie" || plain === "set-cookie") return readCookie(stretch, at, plain);
  const secretName = plain === "sig" && name.isInQuery ? SIGNATURE : readSecretName(name.text);
  return secretName && readAssignment(stretch, at, name, secretName);
}

const SIGNATURE = { kind: "signature", strength: "strong" } as const;

/** Whether `//` follows or may follow. */
function mayBeUrl({ text, limit, ending }: Stretch, at: number): boolean {
  const next = text.slice(at + 1, Math.min(limit, at + 3));
  return next === "//" || (ending === "more" && next.length < 2 && "//".startsWith(next));
}

/** `<bot id>:<35 characters>`; the id is public. */
function readTelegramToken({ text, floor, limit, ending }: Stretch, at: number): Verdict {
  let digits = at;
  while (digits > floor && at - digits < 11 && (readClass(text, digits - 1) & DIGIT) !== 0) digits--;
  if (at - digits < 8 || at - digits > 10) return undefined;
  const end = findEndOfClass(text, at + 1, Math.min(limit, at + 1 + TELEGRAM_LENGTH), WORD);
  if (end - at > TELEGRAM_LENGTH) return { start: at + 1, end, kind: "Telegram token", tail: createClassTail(WORD) };
  return end === limit && ending === "more" ? "undecided" : undefined;
}
