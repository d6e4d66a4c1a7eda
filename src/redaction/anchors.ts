import { findEndOfClass, isWordStart, readClass, WIDE } from "./characters.ts";
import { KEY_OPENING } from "./read-private-key.ts";
import type { Stretch } from "./stretch.ts";

/** The next places where secrets may be. They are remembered between searches, so that no part of a text is searched twice. */
export interface Anchors {
  colon: number;
  equals: number;
  key: number;
  run: number;
  runEnd: number;
  start: number;
}

export function createAnchors(): Anchors {
  return { colon: -1, equals: -1, key: -1, run: -1, runEnd: -1, start: -1 };
}

/** Moves each anchor to its next place at or after `from`. */
export function seekAnchors(anchors: Anchors, stretch: Stretch, from: number): void {
  const { text } = stretch;
  if (anchors.colon < from) anchors.colon = findPosition(text, ":", from);
  if (anchors.equals < from) anchors.equals = findPosition(text, "=", from);
  if (anchors.key < from) anchors.key = findKey(text, from);
  seekStart(anchors, stretch, from);
}

function findPosition(text: string, searched: string, from: number): number {
  const at = text.indexOf(searched, from);
  return at === -1 ? text.length : at;
}

/** Most texts contain no dash, and searching for one character is several times as fast as searching for a word. */
function findKey(text: string, from: number): number {
  const dash = text.indexOf("-", from);
  return dash === -1 ? text.length : findPosition(text, KEY_OPENING, dash);
}

/** Finds the next start of a word within a run of characters that is long enough for a token. */
function seekStart(anchors: Anchors, stretch: Stretch, from: number): void {
  const { text, floor, limit } = stretch;
  // A word begins right after something redacted, even if letters follow directly.
  if (anchors.start >= from && !(from === floor && from >= anchors.run && from < anchors.runEnd)) return;
  let at = Math.max(from, anchors.run);
  for (;;) {
    if (at >= anchors.runEnd) {
      if (at >= limit) {
        anchors.start = limit;
        return;
      }
      anchors.run = findNextRun(stretch, at);
      anchors.runEnd = findEndOfClass(text, Math.min(limit, anchors.run), limit, WIDE);
      at = anchors.run;
      if (at === limit) continue;
    }
    while (at < anchors.runEnd && !isWordStart(text, at, floor)) at++;
    if (at < anchors.runEnd) {
      anchors.start = at;
      return;
    }
  }
}

/** Finds the next run that is long enough, or that may become so when more text arrives. */
function findNextRun({ text, limit, ending }: Stretch, from: number): number {
  const run = findRun(text, from, limit);
  if (run < limit || ending !== "more") return run;
  let last = limit;
  while (last > from && limit - last < SHORTEST_TOKEN && (readClass(text, last - 1) & WIDE) !== 0) last--;
  return last;
}

/** No token is shorter than this. */
export const SHORTEST_TOKEN = 16;

/**
 * Finds the first run of at least 16 token characters at or after `from`; returns `limit` if there is none. The search looks
 * from the right end of a window: another character there rules out every run across it. In prose it looks at only every second
 * character.
 */
function findRun(text: string, from: number, limit: number): number {
  let start = from;
  while (start + SHORTEST_TOKEN <= limit) {
    let at = start + SHORTEST_TOKEN - 1;
    while (at >= start && (readClass(text, at) & WIDE) !== 0) at--;
    if (at < start) return start;
    start = at + 1;
  }
  return limit;
}
