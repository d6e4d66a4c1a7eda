import { type LinePrefix, type OpenFence, readLinePrefix, updateFence } from "./fences.ts";
import { type CodeSpan, findCodeSpans, isInSpans } from "./line-rules.ts";

/** An open `<pre>` or comment, which hides its content. */
interface OpenHtml {
  readonly closer: "</pre>" | "-->";
  /** Opened in the middle of a line, so that a blank line ends it too. */
  readonly isInline: boolean;
}

const OPENING = /<!--|<pre(?=[\s>])/giy;
const none: readonly CodeSpan[] = [];

/** Tracks the blocks of an answer from line to line: fences, indented code, `<pre>` and comments. */
export class Blocks {
  #fence: OpenFence | undefined;
  #html: OpenHtml | undefined;
  /** Whether the line before was text, which an indented line would continue. */
  #isText = false;
  /** The column at which the text of the newest list item begins; 0 outside of lists. */
  #itemColumn = 0;
  /** The place of the next `<` in the text, so that lines without one cost nothing. */
  #nextAngle = -1;
  /** Whether the last taken line is code. */
  isCode = false;
  /** The parts of that line that are in `<pre>` or a comment. */
  hidden: readonly CodeSpan[] = none;

  /** Copies the state, to continue at the beginning of another text. */
  copy(): Blocks {
    const blocks = new Blocks();
    blocks.#fence = this.#fence;
    blocks.#html = this.#html;
    blocks.#isText = this.#isText;
    blocks.#itemColumn = this.#itemColumn;
    return blocks;
  }

  /** Takes the next line of `text` and returns where its own text begins. */
  take(text: string, start: number, end: number): LinePrefix {
    const prefix = readLinePrefix(text, start, end);
    const isInHtml = this.#html !== undefined;
    const before = this.#fence;
    this.hidden = none;
    if (!isInHtml) this.#fence = updateFence(text, prefix, end, before);
    const isFenced = before !== undefined || this.#fence !== undefined;
    this.isCode = isFenced || (!isInHtml && this.#isIndentedCode(text, start, end, prefix));
    if (!this.isCode) this.#readHtml(text, start, end, prefix);
    return prefix;
  }

  /** A line is code if it is indented four columns more than the text around it and does not continue a paragraph. */
  #isIndentedCode(text: string, start: number, end: number, { textStart }: LinePrefix): boolean {
    let at = start;
    let column = 0;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === 32) column++;
      else if (code === 9) column += 4 - (column % 4);
      else break;
    }
    if (isBlank(text, at, end)) {
      this.#isText = false;
      return false;
    }
    if (!this.#isText && column >= this.#itemColumn + 4) return true;
    const isItem = textStart > at && text.charCodeAt(at) !== 62;
    if (isItem) this.#itemColumn = column + textStart - at;
    else if (!this.#isText) this.#itemColumn = Math.min(this.#itemColumn, column);
    this.#isText = true;
    return false;
  }

  #readHtml(text: string, start: number, end: number, { textStart }: LinePrefix): void {
    if (this.#html?.isInline && isBlank(text, start, end)) this.#html = undefined;
    if (this.#html === undefined && !this.#hasAngle(text, start, end)) return;
    const hidden: CodeSpan[] = [];
    for (let at = start; at < end; ) {
      if (this.#html !== undefined) {
        const close = findCloser(text, this.#html.closer, at, end);
        const stop = close === -1 ? end : close + this.#html.closer.length;
        hidden.push([at, stop]);
        if (close !== -1) this.#html = undefined;
        at = stop;
        continue;
      }
      const opening = findOpening(text, at, start, end);
      if (opening === undefined) break;
      this.#html = { closer: opening.closer, isInline: opening.at > textStart };
      at = opening.at;
    }
    this.hidden = hidden;
  }

  #hasAngle(text: string, start: number, end: number): boolean {
    // A line at the beginning may belong to another text than the line before.
    if (start === 0 || this.#nextAngle < start) {
      const next = text.indexOf("<", start);
      this.#nextAngle = next === -1 ? text.length : next;
    }
    return this.#nextAngle < end;
  }
}

/** Finds the next `<pre>` or `<!--` of a line at or after `from` that is not in inline code. */
function findOpening(
  text: string,
  from: number,
  start: number,
  end: number,
): { readonly at: number; readonly closer: OpenHtml["closer"] } | undefined {
  let spans: readonly CodeSpan[] | undefined;
  for (let at = text.indexOf("<", from); at !== -1 && at < end; at = text.indexOf("<", at + 1)) {
    OPENING.lastIndex = at;
    const opening = OPENING.exec(text)?.[0];
    if (opening === undefined) continue;
    spans ??= findCodeSpans(text, start, end);
    if (!isInSpans(spans, at)) return { at, closer: opening === "<!--" ? "-->" : "</pre>" };
  }
  return undefined;
}

function findCloser(text: string, closer: OpenHtml["closer"], from: number, end: number): number {
  for (let at = from; ; at++) {
    at = text.indexOf(closer.charAt(0), at);
    if (at === -1 || at + closer.length > end) return -1;
    if (text.slice(at, at + closer.length).toLowerCase() === closer) return at;
  }
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 9 && code !== 13) return false;
  }
  return true;
}
