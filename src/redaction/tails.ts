import { findEndOfClass } from "./characters.ts";
import type { Tail } from "./stretch.ts";

/** A tail that lasts while characters are in `mask`. */
export function createClassTail(mask: number): Tail {
  return ({ text, limit, ending }, from) => {
    const end = findEndOfClass(text, from, limit, mask);
    return { end, isOver: end < limit || ending !== "more" };
  };
}

/** A tail that lasts until one of `stops`. */
export function createTailUntil(stops: string): Tail {
  return ({ text, limit, ending }, from) => {
    let end = from;
    while (end < limit && !stops.includes(text.charAt(end))) end++;
    return { end, isOver: end < limit || ending !== "more" };
  };
}

/** A tail that lasts until the quote that closes the value, or until the end of the line. */
export function createQuotedTail(quote: string): Tail {
  return ({ text, limit, ending }, from) => {
    let end = from;
    while (end < limit) {
      if (isClosingQuote(text, end, quote)) return { end, isOver: true };
      const step = text.charAt(end) === "\\" ? 2 : 1;
      // What a trailing backslash escapes is not known yet.
      if (end + step > limit) return { end: ending === "more" ? end : limit, isOver: ending !== "more" };
      end += step;
    }
    return { end, isOver: ending !== "more" };
  };
}

/** Whether the value in `quote` (`"`, or `\"` inside a quoted text) ends at `at`. */
export function isClosingQuote(text: string, at: number, quote: string): boolean {
  return text.startsWith(quote, at) || text.charAt(at) === "\n";
}
