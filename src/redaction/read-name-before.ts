import { ALNUM, createCharacterSet, DASH, DOT, readClass, UNDERSCORE } from "./characters.ts";
import { mayNameSecret } from "./secret-name.ts";
import type { Stretch } from "./stretch.ts";

/** The name that a value is assigned to. */
export interface NameBefore {
  readonly text: string;
  /** Whether the name follows `?`, `&` or `;`, as in a query or a connection string. */
  readonly isInQuery: boolean;
}

const NAME = ALNUM | UNDERSCORE | DASH | DOT;
const LONGEST_NAME = 64;
/** What may stand between a name and its separator: `"name" :`, `**Name**:`, `name?:`, `name :=`, `['name'] =`. */
const isBetween = createCharacterSet(" \t\"'`\\*:=!?]");
const LONGEST_BETWEEN = 6;
/** Words that make the `key` after them a secret: `API key: …`. */
const BEFORE_KEY = /(?:api|access|secret|private|auth|encryption|signing|master|account|license|service) $/i;

/** Reads the name before the separator at `at`, if it may name a secret. */
export function readNameBefore({ text, floor }: Stretch, at: number): NameBefore | undefined {
  let end = at;
  const nearest = Math.max(floor, at - LONGEST_BETWEEN);
  while (end > nearest && isBetween(text.charCodeAt(end - 1))) end--;
  if (end === floor || !mayNameSecret(text, end)) return undefined;
  const first = Math.max(floor, end - LONGEST_NAME);
  let start = end;
  while (start > first && (readClass(text, start - 1) & NAME) !== 0) start--;
  // The `n` of a written `\n` is not part of a name.
  if (start > floor && text.charAt(start - 1) === "\\" && "nrt".includes(text.charAt(start))) start++;
  const name = text.slice(start, end);
  const isInQuery = start > floor && "?&;".includes(text.charAt(start - 1));
  if (name.toLowerCase() !== "key") return { text: name, isInQuery };
  const word = BEFORE_KEY.exec(text.slice(Math.max(floor, start - 12), start))?.[0] ?? "";
  return { text: word + name, isInQuery };
}
