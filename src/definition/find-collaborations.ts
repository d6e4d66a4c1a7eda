import type { Span } from "./source.ts";

/** A collaborator named in an agent's Markdown body. */
export interface BodyCollaboration {
  readonly name: string;
  readonly specialty: string | undefined;
  readonly span: Span;
}

const LABEL = /^\s*(?:[-*+]\s+)?\*\*collaborations:?\*\*:?[ \t]*/i;
const HEADING = /^#{1,6}\s/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;
const FENCE = /^\s*(?:```|~~~)/;

/** Reads `**Collaborations**: Name (specialty), …` lines and the items under a `## Collaborations` heading. */
export function findCollaborations(body: string, offset: number): BodyCollaboration[] {
  const found: BodyCollaboration[] = [];
  let isSection = false;
  let isFenced = false;
  let start = 0;
  for (const line of body.split("\n")) {
    if (FENCE.test(line)) isFenced = !isFenced;
    else if (!isFenced) {
      if (HEADING.test(line)) isSection = trim(line, "#*: \t\r").toLowerCase() === "collaborations";
      const label = LABEL.exec(line)?.[0] ?? (isSection ? ITEM.exec(line)?.[0] : undefined);
      const pieces = label === undefined ? [] : splitOutsideParentheses(line, label.length);
      for (const piece of pieces) found.push(...readCollaboration(line, piece, offset + start));
    }
    start += line.length + 1;
  }
  return found;
}

/** Where the comma-separated names of a line stand; commas in parentheses belong to a specialty. */
function splitOutsideParentheses(line: string, from: number): Span[] {
  const pieces: Span[] = [];
  let depth = 0;
  let start = from;
  for (let at = from; at < line.length; at++) {
    const character = line[at];
    if (character === "(") depth++;
    else if (character === ")") depth = Math.max(0, depth - 1);
    else if (character === "," && depth === 0) {
      pieces.push({ start, end: at });
      start = at + 1;
    }
  }
  return [...pieces, { start, end: line.length }];
}

/** `Name (specialty)`, `**Name**: specialty`, `Name - specialty` or `Name`. */
function readCollaboration(line: string, piece: Span, lineStart: number): BodyCollaboration[] {
  const text = line.slice(piece.start, piece.end);
  const cut = text.search(/\(|:\s|:\*|\s[-–—]\s/);
  const rawName = cut === -1 ? text : text.slice(0, cut);
  const name = stripMarkup(rawName);
  if (name === "") return [];
  const specialty =
    cut === -1
      ? ""
      : stripMarkup(
          text
            .slice(cut)
            .replace(/^\s*[(:–—-]+/, "")
            .replace(/\)[\s.;]*$/, ""),
        );
  const start = lineStart + piece.start + text.indexOf(name);
  return [{ name, specialty: specialty === "" ? undefined : specialty, span: { start, end: start + name.length } }];
}

function stripMarkup(text: string): string {
  return trim(text, " \t\r*_`.;");
}

/** Not a regular expression: one that trims the end of a text takes time quadratic in a long run of spaces. */
function trim(text: string, characters: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && characters.includes(text.charAt(start))) start++;
  while (end > start && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
