import { stripVTControlCharacters } from "node:util";

/** Made for the first text that needs it, since it takes eight milliseconds. */
let graphemes: Intl.Segmenter | undefined;
const PLAIN = /^[ -~]*$/;
const INVISIBLE = /^[\p{M}\p{Cf}\p{Cc}]+$/u;
/** East Asian Wide and Fullwidth, and what is drawn as a picture. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|^\p{Extended_Pictographic}\ufe0f/u;

/** The columns that a text takes on a terminal, whatever its colours. */
export function countCells(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let cells = 0;
  for (const { segment } of listGraphemes(stripVTControlCharacters(text))) cells += countGraphemeCells(segment);
  return cells;
}

function listGraphemes(text: string): Intl.Segments {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return graphemes.segment(text);
}

function countGraphemeCells(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** The text if it fits into the columns, else its beginning and `…`. */
export function cut(text: string, columns: number): string {
  if (countCells(text) <= columns) return text;
  return columns < 1 ? "" : `${splitAt(text, columns - 1)[0].trimEnd()}…`;
}

export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - countCells(text)));
}

/** The text in lines of at most so many columns, broken between words where that is possible. */
export function wrap(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(2, columns)));
}

function wrapLine(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  let room = columns;
  for (const word of text.match(/\s+|\S+/g) ?? []) {
    let rest = word;
    let width = countCells(rest);
    if (width > room && line.trim() !== "") {
      lines.push(line.trimEnd());
      [line, room] = ["", columns];
      if (/^\s/.test(rest)) continue;
    }
    while (width > room) {
      const [head, tail] = splitAt(rest, room);
      lines.push(line + head);
      [line, room, rest] = ["", columns, tail];
      width = countCells(rest);
    }
    line += rest;
    room -= width;
  }
  return [...lines, line.trimEnd()];
}

function splitAt(text: string, columns: number): [head: string, tail: string] {
  let cells = 0;
  for (const { segment, index } of listGraphemes(text)) {
    cells += countGraphemeCells(segment);
    if (cells > columns) return [text.slice(0, index), text.slice(index)];
  }
  return [text, ""];
}
