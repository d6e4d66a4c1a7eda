import { type Anchors, createAnchors } from "./anchors.ts";
import { findSecret } from "./find-secret.ts";
import { findMarker, findPartialMarker, formatMarker } from "./marker.ts";
import { LOOK_BEHIND, type Stretch, type Tail } from "./stretch.ts";
import type { ValueFinder } from "./value-finder.ts";

/** How far a text has been processed. */
interface Progress {
  /** Where to continue the search. */
  from: number;
  /** The text before this place has been given out. */
  given: number;
  /** The end of the newest redaction. Nothing before it is looked at. */
  floor: number;
  /** The secret that is currently being dropped. */
  tail: Tail | undefined;
  /** Whether the given out text differs from the original. */
  hasRedacted: boolean;
}

/** Redacts a text as it streams in. However it is cut, the output is that of the whole text. */
export class RedactionStream implements Progress {
  from = 0;
  given = 0;
  floor = 0;
  tail: Tail | undefined = undefined;
  hasRedacted = false;
  #text = "";
  readonly #finder: ValueFinder;

  constructor(finder: ValueFinder) {
    this.#finder = finder;
  }

  push(chunk: string): string {
    this.#text += chunk;
    const output = advance(this.#text, this, true, this.#finder);
    const cut = Math.max(0, Math.min(this.from, this.given) - LOOK_BEHIND);
    if (cut > 0) {
      this.#text = this.#text.slice(cut);
      this.from -= cut;
      this.given -= cut;
      this.floor = Math.max(0, this.floor - cut);
    }
    return output;
  }

  end(): string {
    if (this.given === this.#text.length && this.tail === undefined) return "";
    const output = advance(this.#text, this, false, this.#finder);
    this.#text = "";
    Object.assign(this, { from: 0, given: 0, floor: 0, tail: undefined });
    return output;
  }
}

/** Redacts a whole text. */
export function redactText(text: string, finder: ValueFinder): string {
  return advance(text, { from: 0, given: 0, floor: 0, tail: undefined, hasRedacted: false }, false, finder);
}

/**
 * Processes a text as far as it is certain. There are three layers, and each is bounded by the one before: markers of earlier
 * redactions, exact values, and what looks like a secret between those. When a text is redacted again, every marker is a bound,
 * so the result stays the same.
 */
function advance(text: string, progress: Progress, hasMore: boolean, finder: ValueFinder): string {
  const anchors = createAnchors();
  const end = hasMore ? findPartialMarker(text, progress.from) : text.length;
  let marker = findMarker(text, progress.from);
  let output = "";
  for (;;) {
    if (marker !== undefined && marker.start < progress.from) marker = findMarker(text, progress.from);
    const last = marker?.start ?? end;
    const isOpen = hasMore && marker === undefined;
    const value = finder.find(text, progress.from, last, isOpen);
    const limit = value?.start ?? last;
    const wallEnd = value === undefined ? marker?.end : value.end;
    const ending = wallEnd !== undefined ? "redacted" : hasMore ? "more" : "end";
    output += redactStretch({ text, floor: progress.floor, limit, ending }, progress, anchors);
    if (wallEnd === undefined) return output;
    if (value === undefined) output += text.slice(limit, wallEnd);
    else {
      output += formatMarker("environment value");
      progress.hasRedacted = true;
    }
    Object.assign(progress, { from: wallEnd, given: wallEnd, floor: wallEnd, tail: undefined });
  }
}

/** Redacts one stretch and notes the progress in `progress`. */
function redactStretch(stretch: Stretch, progress: Progress, anchors: Anchors): string {
  const { text, ending } = stretch;
  let output = "";
  for (;;) {
    if (progress.tail !== undefined) {
      const { end, isOver } = progress.tail(stretch, progress.from);
      Object.assign(progress, { from: end, given: end, floor: end });
      if (!isOver && ending === "more") return output;
      progress.tail = undefined;
    }
    const left = progress.floor === stretch.floor ? stretch : { ...stretch, floor: progress.floor };
    const search = findSecret(left, progress.from, anchors);
    const upTo = "secret" in search ? search.secret.start : search.hold;
    output += text.slice(progress.given, upTo);
    progress.given = upTo;
    if (!("secret" in search)) {
      progress.from = search.resume;
      return output;
    }
    const { end, kind, tail } = search.secret;
    output += formatMarker(kind);
    Object.assign(progress, { from: end, given: end, floor: end, tail, hasRedacted: true });
  }
}
