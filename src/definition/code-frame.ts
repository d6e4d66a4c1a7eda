import type { Source, Span } from "./source.ts";

const MAX_WIDTH = 110;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** The line of `span` with the span underlined, and `label` behind the marks. */
export function codeFrame(source: Source, span: Span, label = ""): string {
  const { line, column } = source.position(span.start);
  const text = source.lineAt(line);
  const from = Math.max(0, Math.min(column - 1 - Math.floor(MAX_WIDTH / 2), text.length - MAX_WIDTH));
  const shown = printable(text.slice(from, from + MAX_WIDTH));
  const before = printable(text.slice(from, column - 1));
  const marked = text.slice(column - 1, Math.min(column - 1 + (span.end - span.start), from + MAX_WIDTH));
  const number = String(line);
  const gutter = " ".repeat(number.length);
  const underline = "^".repeat(Math.max(1, displayWidth(printable(marked))));
  const clippedLeft = from > 0 ? "…" : "";
  const clippedRight = from + MAX_WIDTH < text.length ? "…" : "";
  const padding = " ".repeat(clippedLeft.length) + blank(before);
  return [
    `   ${number} | ${clippedLeft}${shown}${clippedRight}`,
    `   ${gutter} | ${padding}${underline}${label === "" ? "" : ` ${label}`}`,
  ].join("\n");
}

/** Control characters would move the terminal's cursor, and marks of direction would turn the line around. */
export function printable(text: string): string {
  return text.toWellFormed().replace(/(?!\t)[\p{Cc}\p{Bidi_Control}]/gu, "\ufffd");
}

/** White space as wide as `text`; tabs stay tabs, so that the marks line up however wide they are shown. */
function blank(text: string): string {
  return [...text].map((character) => (character === "\t" ? "\t" : " ".repeat(displayWidth(character)))).join("");
}

function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}|\u200b|\u200d/u.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}
