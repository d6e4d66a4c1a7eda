import { endOfClass } from "./characters.ts";
import type { Tail } from "./stretch.ts";

/** Goes on while characters are of `mask`. */
export function createClassTail(mask: number): Tail {
  return ({ text, limit, ending }, from) => {
    const end = endOfClass(text, from, limit, mask);
    return { end, isOver: end < limit || ending !== "more" };
  };
}

/** Goes on to the first of `stops`. */
export function createTailUntil(stops: string): Tail {
  return ({ text, limit, ending }, from) => {
    let end = from;
    while (end < limit && !stops.includes(text.charAt(end))) end++;
    return { end, isOver: end < limit || ending !== "more" };
  };
}

/** Goes on to the quote that closes a value, or the end of its line. */
export function createQuotedTail(quote: string): Tail {
  return ({ text, limit, ending }, from) => {
    let end = from;
    while (end < limit) {
      if (isClosingQuote(text, end, quote)) return { end, isOver: true };
      const step = text.charAt(end) === "\\" ? 2 : 1;
      // Of a backslash that comes last it is not known yet what it escapes.
      if (end + step > limit) return { end: ending === "more" ? end : limit, isOver: ending !== "more" };
      end += step;
    }
    return { end, isOver: ending !== "more" };
  };
}

/** Whether the value in `quote` (`"`, or `\"` inside a quoted text) is over at `at`. */
export function isClosingQuote(text: string, at: number, quote: string): boolean {
  return text.startsWith(quote, at) || text.charAt(at) === "\n";
}
