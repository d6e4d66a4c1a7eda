import { readClass, WIDE } from "./characters.ts";

/** No token is shorter. */
export const SHORTEST_TOKEN = 16;

/**
 * The first run of at least 16 token characters from `from` on, or `limit`. A character that is none, seen from the right,
 * rules out all runs across it: of prose, only every second character is looked at.
 */
export function findRun(text: string, from: number, limit: number): number {
  let start = from;
  while (start + SHORTEST_TOKEN <= limit) {
    let at = start + SHORTEST_TOKEN - 1;
    while (at >= start && (readClass(text, at) & WIDE) !== 0) at--;
    if (at < start) return start;
    start = at + 1;
  }
  return limit;
}
