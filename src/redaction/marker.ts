import { secretKinds } from "./secret-kinds.ts";

const OPENING = "[REDACTED:";
const kinds: ReadonlySet<string> = new Set(secretKinds);
const LONGEST = Math.max(...secretKinds.map((kind) => formatMarker(kind).length));

/** The text that replaces a secret. Its colon keeps it from ever naming a signal. */
export function formatMarker(kind: string): string {
  return `${OPENING}${kind}]`;
}

/** Whether a text is exactly one marker. */
export function isMarker(text: string): boolean {
  return text.startsWith(OPENING) && text.endsWith("]") && kinds.has(text.slice(OPENING.length, -1));
}

/** Finds the first marker at or after `from`. */
export function findMarker(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
  let start = text.indexOf(OPENING, from);
  while (start !== -1) {
    const close = text.slice(start, start + LONGEST).indexOf("]");
    if (close !== -1 && kinds.has(text.slice(start + OPENING.length, start + close))) {
      return { start, end: start + close + 1 };
    }
    start = text.indexOf(OPENING, start + OPENING.length);
  }
  return undefined;
}

/** Where the text ends within what may become a marker, or the text's length. */
export function findPartialMarker(text: string, from: number): number {
  // Searched from the front, where little text is left. A search from the end would repeat everything that was given out
  // already.
  if (text.indexOf("[", from) === -1) return text.length;
  const start = text.lastIndexOf("[");
  if (text.length - start >= LONGEST || text.endsWith("]")) return text.length;
  const tail = text.slice(start);
  const isPartial = OPENING.startsWith(tail) || secretKinds.some((kind) => formatMarker(kind).startsWith(tail));
  return isPartial ? start : text.length;
}
