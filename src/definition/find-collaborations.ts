import { type OpenFence, readLinePrefix, updateFence } from "../signals/fences.ts";
import type { Span } from "./source.ts";

/** A collaborator named in an agent's Markdown body. */
export interface BodyCollaboration {
  readonly name: string;
  readonly specialty: string | undefined;
  readonly span: Span;
}

const LABEL = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?\*\*collaborations:?\*\*:?[ \t]*/i;
const HEADING = /^#{1,6}\s/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;
const SEPARATOR = /[,;]|(?<=\)) (?:and|và|&) /y;

/** Reads `**Collaborations**: Name (specialty), …` lines and the items under such a line or a `## Collaborations` heading. */
export function findCollaborations(body: string, offset: number): BodyCollaboration[] {
  const found: BodyCollaboration[] = [];
  let section: Section | undefined;
  let fence: OpenFence | undefined;
  let isComment = false;
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf("\n", start);
    const end = newline === -1 ? body.length : newline;
    const line = body.slice(start, end);
    const before = fence;
    fence = updateFence(body, readLinePrefix(body, start, end), end, before);
    isComment = (isComment || line.includes("<!--")) && !line.includes("-->");
    if (before === undefined && fence === undefined && !isComment && !line.includes("-->")) {
      section = sectionAt(line, section);
      for (const piece of splitPieces(line, section)) found.push(...readCollaboration(line, piece, offset + start));
    }
    start = end + 1;
  }
  return found;
}

/** A list of collaborators; items that are indented further than its first say more about the one above. */
interface Section {
  indent: number | undefined;
  /** How far the label is indented that the list is of: where that is an item itself, the list is indented further. */
  readonly label: number | undefined;
}

/** Under a heading a list ends with the next heading, under a label with other text. */
function sectionAt(line: string, section: Section | undefined): Section | undefined {
  if (HEADING.test(line)) return isHeading(line) ? { indent: undefined, label: undefined } : undefined;
  const label = LABEL.exec(line)?.[0];
  if (label !== undefined && line.slice(label.length).trim() === "")
    return { indent: undefined, label: ITEM.test(line) ? measureIndent(line) : -1 };
  if (section?.label === undefined || line.trim() === "") return section;
  const isOutside = ITEM.test(line)
    ? measureIndent(line) <= section.label || measureIndent(line) < (section.indent ?? 0)
    : measureIndent(line) === 0;
  return isOutside ? undefined : section;
}

function measureIndent(line: string): number {
  return line.length - line.trimStart().length;
}

function isHeading(line: string): boolean {
  return trim(line, "#*: \t\r").toLowerCase() === "collaborations";
}

/** Where the collaborators of a line stand: several on a labelled line, one on an item of the section. */
function splitPieces(line: string, section: Section | undefined): Span[] {
  const label = LABEL.exec(line)?.[0];
  if (label !== undefined) return splitOutsideParentheses(line, label.length);
  const marker = section === undefined ? undefined : ITEM.exec(line)?.[0];
  if (section === undefined || marker === undefined) return [];
  const indent = measureIndent(line);
  section.indent ??= indent;
  return indent > section.indent ? [] : [{ start: marker.length, end: line.length }];
}

/** Names are separated by commas, semicolons, or "and" behind a specialty; in parentheses these belong to it. */
function splitOutsideParentheses(line: string, from: number): Span[] {
  const pieces: Span[] = [];
  let depth = 0;
  let start = from;
  for (let at = from; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === "(") depth++;
    if (character === ")") depth = Math.max(0, depth - 1);
    if (depth > 0) continue;
    SEPARATOR.lastIndex = at;
    const separator = SEPARATOR.exec(line)?.[0];
    if (separator === undefined) continue;
    pieces.push({ start, end: at });
    start = at + separator.length;
    at = start - 1;
  }
  return [...pieces, { start, end: line.length }];
}

/** `Name (specialty)`, `**Name**: specialty`, `Name - specialty` or `Name`; `None` is nobody. */
function readCollaboration(line: string, piece: Span, lineStart: number): BodyCollaboration[] {
  // The address of a link is no specialty.
  const text = line.slice(piece.start, piece.end).replace(/\]\([^()]*\)/, "]");
  const cut = text.search(/\(|:\s|:\*|\s[-–—]\s/);
  const name = stripMarkup(cut === -1 ? text : text.slice(0, cut));
  if (name === "" || /^(none|n\/a|không)$/i.test(name)) return [];
  const specialty = cut === -1 ? "" : specialtyIn(text.slice(cut));
  const start = lineStart + piece.start + text.indexOf(name);
  return [{ name, specialty: specialty === "" ? undefined : specialty, span: { start, end: start + name.length } }];
}

function specialtyIn(rest: string): string {
  if (rest.startsWith("(")) return stripMarkup(rest.slice(1, rest.includes(")") ? rest.lastIndexOf(")") : undefined));
  return stripMarkup(trim(rest, " \t\r:*–—-"));
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
