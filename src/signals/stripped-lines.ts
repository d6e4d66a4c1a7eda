import type { SignalMatch } from "./scan-signals.ts";
import { cutTokens, isLetterFirst, isRemainder } from "./strip-line.ts";

/** Joins the lines of a text whose tokens are removed, so that no empty line or double space remains. */
export class StrippedLines {
  /** White space after the newest text. */
  #space = "";
  /** The white space before lines that contained only tokens. */
  #spaceBeforeCut: string | undefined;
  #hasSaid = false;
  /** Whether the newest line had a token, so that white space at the end of the text is removed with it. */
  #trimsEnd = false;

  /** Takes the rest of a line whose first `given` characters were given out already, and the tokens of the whole line. */
  take(line: string, given: number, matches: readonly SignalMatch[]): string {
    if (matches.length === 0) return this.say(line.slice(given));
    // Most answers end in their only token, and all text before it was given out while it streamed in.
    if (given > 0 && isEndingInToken(line, given, matches)) {
      this.#trimsEnd = true;
      return "";
    }
    const rest = cutTokens(line, matches);
    if (!isRemainder(rest)) {
      const said = this.say(rest.slice(given));
      this.#trimsEnd = true;
      return said;
    }
    this.#spaceBeforeCut = this.#spaceBefore();
    this.#space = "";
    return "";
  }

  /** White space waits for the next text. */
  say(text: string): string {
    if (isTight(text) && this.#space === "" && this.#spaceBeforeCut === undefined) {
      this.#hasSaid = true;
      this.#trimsEnd = false;
      return text;
    }
    const end = text.trimEnd().length;
    if (end === 0) {
      this.#space += text;
      return "";
    }
    const start = text.length - text.trimStart().length;
    this.#space += text.slice(0, start);
    const before = this.#spaceBefore();
    this.#space = text.slice(end);
    this.#spaceBeforeCut = undefined;
    this.#hasSaid = true;
    this.#trimsEnd = false;
    return before + text.slice(start, end);
  }

  /** The white space at the end of the text, if it stays. */
  end(): string {
    return this.#trimsEnd || this.#spaceBeforeCut !== undefined ? "" : this.#space;
  }

  /** White space between two texts. If a line between them was removed, it leaves no empty line. */
  #spaceBefore(): string {
    const after = this.#space;
    const before = this.#spaceBeforeCut;
    if (before === undefined) return after;
    const indentation = after.slice(after.lastIndexOf("\n") + 1);
    if (!this.#hasSaid) return indentation;
    const isAfterBlankLine = before.indexOf("\n") !== before.lastIndexOf("\n");
    return isAfterBlankLine ? before + indentation : before + after;
  }
}

/** Whether only one token and the spaces before it remain of a line without a line break. */
function isEndingInToken(line: string, given: number, matches: readonly SignalMatch[]): boolean {
  const first = matches[0];
  if (first === undefined || matches.length > 1 || !isEnding(line, first)) return false;
  let at = first.offset;
  while (at > given && line.charCodeAt(at - 1) === 32) at--;
  return at === given;
}

function isEnding(line: string, { offset, token }: SignalMatch): boolean {
  return offset + token.length === line.length;
}

/** Whether a text certainly begins and ends without white space, as most texts do. */
function isTight(text: string): boolean {
  return isVisible(text.charCodeAt(0)) && isVisible(text.charCodeAt(text.length - 1));
}

function isVisible(code: number): boolean {
  return code > 32 && code < 127;
}

/** Removes the tokens that were found in a whole text. */
export function stripTokens(text: string, matches: readonly SignalMatch[]): string {
  if (matches.length === 0) return text;
  if (!text.includes("\n")) return stripLine(text, matches);
  const lines = new StrippedLines();
  let said = "";
  let next = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline + 1;
    const own: SignalMatch[] = [];
    for (let match = matches[next]; match !== undefined && match.offset < end; match = matches[++next])
      own.push({ ...match, offset: match.offset - start });
    said += lines.take(text.slice(start, end), 0, own);
    start = end;
  }
  return said + lines.end();
}

/** Removes the tokens of a text of one line, which is less work than a text of several lines. */
function stripLine(line: string, matches: readonly SignalMatch[]): string {
  const first = matches[0];
  // Most answers begin with a word and end in their only token.
  if (matches.length === 1 && first !== undefined && isEnding(line, first) && isLetterFirst(line))
    return line.slice(0, first.offset).trimEnd();
  const rest = cutTokens(line, matches);
  return isRemainder(rest) ? "" : rest.trimEnd();
}
