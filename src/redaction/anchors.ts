import { endOfClass, isWordStart, readClass, WIDE } from "./characters.ts";
import { findRun, SHORTEST_TOKEN } from "./find-character-run.ts";
import { KEY_OPENING } from "./read-private-key.ts";
import type { Stretch } from "./stretch.ts";

/** Where secrets may be, kept from search to search so that no part of a text is searched twice. */
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

/** Finds the next place of each sort from `from` on. */
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

/** Most texts have no dash: one character is found several times as fast as a word. */
function findKey(text: string, from: number): number {
  const dash = text.indexOf("-", from);
  return dash === -1 ? text.length : findPosition(text, KEY_OPENING, dash);
}

/** The next place where a word begins within a run that is long enough for a token. */
function seekStart(anchors: Anchors, stretch: Stretch, from: number): void {
  const { text, floor, limit } = stretch;
  // Right after something redacted a word begins, even where letters go on.
  if (anchors.start >= from && !(from === floor && from >= anchors.run && from < anchors.runEnd)) return;
  let at = Math.max(from, anchors.run);
  for (;;) {
    if (at >= anchors.runEnd) {
      if (at >= limit) {
        anchors.start = limit;
        return;
      }
      anchors.run = findNextRun(stretch, at);
      anchors.runEnd = endOfClass(text, Math.min(limit, anchors.run), limit, WIDE);
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

/** The next run that is long enough, or that breaks off where more is to come. */
function findNextRun({ text, limit, ending }: Stretch, from: number): number {
  const run = findRun(text, from, limit);
  if (run < limit || ending !== "more") return run;
  let last = limit;
  while (last > from && limit - last < SHORTEST_TOKEN && (readClass(text, last - 1) & WIDE) !== 0) last--;
  return last;
}
