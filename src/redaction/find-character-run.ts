import { readClass, WIDE } from "./characters.ts";

/** No token is shorter than this. */
export const SHORTEST_TOKEN = 16;

/**
 * Finds the first run of at least 16 token characters at or after `from`; returns `limit` if there is none. The search looks
 * from the right end of a window: another character there rules out every run across it. In prose it looks at only every second
 * character.
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
