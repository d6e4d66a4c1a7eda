import { type Anchors, seekAnchors } from "./anchors.ts";
import { readToken } from "./read-known-token.ts";
import { readNearWord } from "./read-near-word.ts";
import { KEY_OPENING, readPrivateKey } from "./read-private-key.ts";
import { readSeparator } from "./read-separator.ts";
import type { Secret, Stretch } from "./stretch.ts";

/** A secret; or that there is none up to `hold`, and where to go on from once more has come. */
export type Search = { readonly secret: Secret } | { readonly hold: number; readonly resume: number };

/**
 * The first secret from `from` on. Places where one may be are found by cheap searches and looked at from left to right,
 * each once and each no further than some hundred characters, so that time is linear in the length of the text.
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
  const cut = stretch.ending === "more" ? startOfPartial(text, from, limit, KEY_OPENING) : limit;
  return { hold: cut, resume: cut };
}

function readStart(stretch: Stretch, at: number, isKey: boolean) {
  return isKey ? readPrivateKey(stretch, at) : (readToken(stretch, at) ?? readNearWord(stretch, at));
}

/** Where the text breaks off within what may become `searched`. */
function startOfPartial(text: string, from: number, limit: number, searched: string): number {
  const first = searched.charAt(0);
  let start = text.indexOf(first, Math.max(from, limit - searched.length + 1));
  while (start !== -1 && start < limit) {
    if (searched.startsWith(text.slice(start, limit))) return start;
    start = text.indexOf(first, start + 1);
  }
  return limit;
}
