import { endOfClass, SIGN, WORD } from "./characters.ts";
import { isPlaceholder, looksOf, looksRandom } from "./looks-secret.ts";
import type { Stretch, Verdict } from "./stretch.ts";
import { classTail } from "./tails.ts";

/** How much of an address is read for who it is opened as. */
const WINDOW = 256;
const AUTHORITY_STOPS = "/?# \t\r\n\"'`<>\\";

/** Addresses whose path is the secret, and how long that is. */
const webhooks = [
  ["hooks.slack.com/services/", 30],
  ["hooks.slack.com/workflows/", 30],
  ["discord.com/api/webhooks/", 40],
  ["discordapp.com/api/webhooks/", 40],
] as const;

/** The password of `scheme://user:password@host`, or the path of a webhook, after the `:` at `colon`. */
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
  return host === -1 ? readWebhook(stretch, from) : readUserInfo(authority.slice(0, host), from);
}

function readUserInfo(user: string, from: number): Verdict {
  const split = user.indexOf(":");
  const secret = split === -1 ? user : user.slice(split + 1);
  const start = from + split + 1;
  const isSecret =
    split === -1 ? looksRandom(looksOf(user)) : secret !== "" && !/^(?:[<{[*]|\$[{(]|%s|\.\.)/.test(secret);
  return isSecret && !isPlaceholder(secret)
    ? { start, end: start + secret.length, kind: "URL password", tail: undefined }
    : undefined;
}

function readWebhook({ text, limit, ending }: Stretch, from: number): Verdict {
  for (const [prefix, atLeast] of webhooks) {
    if (ending === "more" && prefix.startsWith(text.slice(from, limit))) return "undecided";
    if (!text.startsWith(prefix, from)) continue;
    const start = from + prefix.length;
    const end = endOfClass(text, start, Math.min(limit, start + atLeast), WORD | SIGN);
    if (end - start === atLeast) return { start, end, kind: "webhook", tail: classTail(WORD | SIGN) };
    return ending === "more" && end === limit ? "undecided" : undefined;
  }
  return undefined;
}
