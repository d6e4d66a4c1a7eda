import { type Anchors, seekAnchors } from "./anchors.ts";
import { readToken } from "./read-known-token.ts";
import { readNearWord } from "./read-near-word.ts";
import { KEY_OPENING, readPrivateKey } from "./read-private-key.ts";
import { readSeparator } from "./read-separator.ts";
import type { Secret, Stretch } from "./stretch.ts";

/** A secret; or the information that there is none before `hold`, and where to resume when more text arrives. */
export type Search = { readonly secret: Secret } | { readonly hold: number; readonly resume: number };

/**
 * Finds the first secret at or after `from`. Cheap searches find the places where a secret may be. Each place is looked at
 * once, from left to right, and for at most some hundred characters, so the time is linear in the length of the text.
 */
export function findSecret(stretch: Stretch, from: number, anchors: Anchors): Search {
  const { text, limit } = stretch;
  for (let at = from; at < limit; at++) {
    seekAnchors(anchors, stretch, at);
    at = Math.min(anchors.colon, anchors.equals, anchors.key, anchors.start);
    if (at >= limit) break;
    const isSeparator = at === anchors.colon || at === anchors.equals;
    const verdict = isSeparator ? readSeparator(stretch, at) : readStart(stretch, at, at === anchors.key);
    if (verdict === "undecided") return { hold: isSeparator ? at + 1 : at, resume: at };
    if (verdict !== undefined) return { secret: verdict };
  }
  const cut = stretch.ending === "more" ? findPartial(text, from, limit, KEY_OPENING) : limit;
  return { hold: cut, resume: cut };
}

function readStart(stretch: Stretch, at: number, isKey: boolean) {
  return isKey ? readPrivateKey(stretch, at) : (readToken(stretch, at) ?? readNearWord(stretch, at));
}

/** Where the text ends within what may become `searched`. */
function findPartial(text: string, from: number, limit: number, searched: string): number {
  const first = searched.charAt(0);
  let start = text.indexOf(first, Math.max(from, limit - searched.length + 1));
  while (start !== -1 && start < limit) {
    if (searched.startsWith(text.slice(start, limit))) return start;
    start = text.indexOf(first, start + 1);
  }
  return limit;
}
