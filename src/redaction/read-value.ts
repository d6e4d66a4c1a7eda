import type { Stretch, Tail } from "./stretch.ts";
import { createQuotedTail, createTailUntil, isClosingQuote } from "./tails.ts";

/** The value after a separator, as much of it as the rules need. */
export interface Value {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isQuoted: boolean;
  /** The character after the value. It tells code, such as a call or an index, from a value. */
  readonly next: string;
  readonly tail: Tail | undefined;
}

/** The rules look at this much of a value. */
const WINDOW = 128;
const LONGEST_GAP = 8;
const STOPS = " \t\r\n\"'`,;)}]><|&([{";
const LINE_STOPS = " \t\r\n\"'`";
const quotes = ['\\"', "\\'", '"', "'", "`"];

/**
 * Reads what follows the separator at `at`. With `isLine`, a line of an environment file, the value ends at white space. A
 * value that runs into something redacted is skipped, because it would be judged differently the second time.
 */
export function readValue(stretch: Stretch, at: number, isLine: boolean): Value | "undecided" | undefined {
  const { text, limit, ending } = stretch;
  let start = at + 1;
  const latest = Math.min(limit, start + LONGEST_GAP);
  while (start < latest && " \t*>=".includes(text.charAt(start))) start++;
  // A single trailing backslash may be the first half of a quote.
  if (start >= limit - 1 && ending === "more") return "undecided";
  if (start >= limit) return undefined;
  const quote = quotes.find((each) => text.startsWith(each, start) && start + each.length <= limit);
  return quote === undefined
    ? readUntil(stretch, start, isLine ? LINE_STOPS : STOPS)
    : readQuoted(stretch, start + quote.length, quote);
}

function readUntil(stretch: Stretch, start: number, stops: string): Value | "undecided" | undefined {
  const { text, limit, ending } = stretch;
  const last = Math.min(limit, start + WINDOW);
  let end = start;
  while (end < last && !stops.includes(text.charAt(end))) end++;
  const isWhole = end < last || (end === limit && ending === "end");
  if (!isWhole && end === limit && end - start < WINDOW) return ending === "more" ? "undecided" : undefined;
  const next = end < last ? text.charAt(end) : "";
  return {
    start,
    end,
    text: text.slice(start, end),
    isQuoted: false,
    next,
    tail: isWhole ? undefined : createTailUntil(stops),
  };
}

function readQuoted(stretch: Stretch, start: number, quote: string): Value | "undecided" | undefined {
  const { text, limit, ending } = stretch;
  const last = Math.min(limit, start + WINDOW);
  let end = start;
  while (end < last && !isClosingQuote(text, end, quote)) end += text.charAt(end) === "\\" ? 2 : 1;
  const isWhole = end < last;
  if (!isWhole && end >= limit && last < start + WINDOW) {
    if (ending !== "end") return ending === "more" ? "undecided" : undefined;
    end = limit;
  }
  // The window may end between a backslash and the character that it escapes.
  if (end > last) end = last - 1;
  return {
    start,
    end,
    text: text.slice(start, end),
    isQuoted: true,
    next: "",
    tail: isWhole ? undefined : createQuotedTail(quote),
  };
}
