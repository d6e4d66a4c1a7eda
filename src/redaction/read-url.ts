import { findEndOfClass, SIGN, WORD } from "./characters.ts";
import { examineLooks, isPlaceholder, isRandomLooking } from "./looks-secret.ts";
import { hasToken } from "./read-known-token.ts";
import type { Stretch, Verdict } from "./stretch.ts";
import { createClassTail } from "./tails.ts";

/** The user and password of an address must lie within this many characters. */
const WINDOW = 256;
const AUTHORITY_STOPS = "/?# \t\r\n\"'`<>\\";

/** Addresses whose path is the secret, with the length of that path. */
const webhooks = [
  ["hooks.slack.com/services/", 30],
  ["hooks.slack.com/workflows/", 30],
  ["discord.com/api/webhooks/", 40],
  ["discordapp.com/api/webhooks/", 40],
] as const;

/** Reads the password of `scheme://user:password@host`, or the path of a webhook, after the `:` at `colon`. */
export function readUrl(stretch: Stretch, colon: number): Verdict {
  const { text, limit, ending } = stretch;
  const from = colon + 3;
  if (from > limit) return "undecided";
  const last = Math.min(limit, from + WINDOW);
  let end = from;
  while (end < last && !AUTHORITY_STOPS.includes(text.charAt(end))) end++;
  if (end === limit && end - from < WINDOW && ending === "more") return "undecided";
  const authority = text.slice(from, end);
  const host = authority.lastIndexOf("@");
  return host === -1 ? readWebhook(stretch, from) : readUser(stretch, from, authority.slice(0, host));
}

/**
 * Reads the password of `user:password`. If the user part contains a token or something like `password=…`, all of it is secret.
 */
function readUser(stretch: Stretch, from: number, user: string): Verdict {
  const split = user.indexOf(":");
  const name = split === -1 ? user : user.slice(0, split);
  const isName = !name.includes("=") && !hasToken(stretch, from, from + name.length);
  if (!isName || (split === -1 && isRandomLooking(examineLooks(user)))) return readPassword(from, user);
  const password = split === -1 ? "" : user.slice(split + 1);
  return password === "" || isPlaceholder(password) ? undefined : readPassword(from + split + 1, password);
}

function readPassword(start: number, password: string): Verdict {
  return { start, end: start + password.length, kind: "URL password", tail: undefined };
}

function readWebhook({ text, limit, ending }: Stretch, from: number): Verdict {
  for (const [prefix, atLeast] of webhooks) {
    if (ending === "more" && prefix.startsWith(text.slice(from, limit))) return "undecided";
    if (!text.startsWith(prefix, from)) continue;
    const start = from + prefix.length;
    const end = findEndOfClass(text, start, Math.min(limit, start + atLeast), WORD | SIGN);
    if (end - start === atLeast) return { start, end, kind: "webhook", tail: createClassTail(WORD | SIGN) };
    return ending === "more" && end === limit ? "undecided" : undefined;
  }
  return undefined;
}
