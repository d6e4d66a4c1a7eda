import type { SignalMatch } from "./scan-signals.ts";

const MARKUP = "*_~`";
const PAIRS = new Map(
  ["()", "[]", "{}", "«»", "»«", "‹›", "“”", "„“", "‘’", "‚‘", "（）", "「」", "『』", "【】"].map((pair) => [
    pair[0],
    pair[1],
  ]),
);
const QUOTES = "\"'";
const CLOSERS = new Set(PAIRS.values());
/** Decoration around a token. A line that contains nothing else can be removed. */
const DECORATION = "[\\s*_~`#>|.,;:!?…。！？，、()\\[\\]{}\"'«»‹›“”„‘’‚（）「」『』【】\\\\–—+-]*";
const NUMBER = "\\d{1,9}[.)]";
const REMAINDER = new RegExp(`^\\s*(?:${NUMBER}\\s+)?${DECORATION}$`, "u");
const REMAINDER_BEGUN = new RegExp(`^\\s*(?:\\d{1,9}|${NUMBER}|(?:${NUMBER}\\s+)?${DECORATION})$`, "u");
const LINE_START = /^\s*(?:(?:[-+*>]|\d{1,9}[.)]|#{1,6})\s*)*$/u;
const PUNCTUATION = /^[.,;:!?…。！？，、]+/u;
const ENDS_SENTENCE = /[.,;:!?…。！？，、]$/u;
const OPENS_EMPHASIS = /(?:^|[\s([{"'])[*_~`]+$/u;
const CLOSES_EMPHASIS = /^[*_~`]+(?:$|[\s.,;:!?)\]}])/u;

const LEADING = new Set([...PAIRS.keys(), ...MARKUP, ...QUOTES, "\\", " "]);

/** Whether a character may be removed together with the token after it: white space, emphasis, an opening bracket or quote. */
export function canLeadToken(character: string): boolean {
  if (isLetterFirst(character)) return false;
  return LEADING.has(character) || (!(character >= "!" && character <= "~") && /\s/.test(character));
}

/** Whether the rest of a line is only decoration, so that the line can be removed. */
export function isRemainder(rest: string): boolean {
  return !isLetterFirst(rest) && REMAINDER.test(rest);
}

/** Whether a line that begins like this may contain only decoration beside its tokens. */
export function mayBecomeRemainder(begun: string): boolean {
  return !isLetterFirst(begun) && REMAINDER_BEGUN.test(begun);
}

/** Most lines begin with a letter, and none of the expressions is needed for them. */
export function isLetterFirst(text: string): boolean {
  const code = text.charCodeAt(0) | 32;
  return code >= 97 && code <= 122;
}

function isLineStart(text: string): boolean {
  return !isLetterFirst(text) && LINE_START.test(text);
}

/** Removes the tokens of a line, and the emphasis, brackets and white space that would be left over. */
export function cutTokens(line: string, matches: readonly SignalMatch[]): string {
  const end = line.trimEnd().length;
  const [first] = matches;
  // Most answers end in their only token.
  if (matches.length === 1 && first !== undefined && first.offset + first.token.length === end) {
    const before = line.slice(0, first.offset);
    return (isLineStart(before) ? before : before.trimEnd()) + line.slice(end);
  }
  let left = "";
  let from = 0;
  for (const { token, offset } of matches) {
    const seam = closeSeam(left + line.slice(from, offset), line.slice(offset + token.length, end));
    left = seam.left;
    from = end - seam.right.length;
  }
  return left + line.slice(from);
}

interface Seam {
  readonly left: string;
  readonly right: string;
}

/** Joins the texts on both sides of a token. On the left only the end changes, as far back as characters can lead a token. */
function closeSeam(before: string, after: string): Seam {
  const { left, right } = unwrap(before, after);
  const l = left.trimEnd();
  const r = right.trimStart();
  const isLeftTight = l === left;
  const isRightTight = r === right;
  if (r === "") return { left: isLineStart(left) ? left : l, right: r };
  if (isLineStart(left)) return { left, right: r.replace(/^[.,;:!?…。！？，、]*\s*(?:[-–—]+\s+)?/u, "") };
  if (isRightTight && PUNCTUATION.test(r) && ENDS_SENTENCE.test(l)) return closeSeam(left, r.replace(PUNCTUATION, ""));
  const isRightBound = isRightTight && (PUNCTUATION.test(r) || CLOSERS.has(r.charAt(0)) || CLOSES_EMPHASIS.test(r));
  if (isRightBound) return { left: l, right: r };
  const opener = l.at(-1) ?? "";
  // Some quotes open in one language and close in another.
  const isBracketed = PAIRS.has(opener) && (isLeftTight || !CLOSERS.has(opener));
  const isLeftBound = isBracketed || (isLeftTight && OPENS_EMPHASIS.test(l));
  if (isLeftBound) return { left: l, right: r };
  return isLeftTight
    ? { left, right: isRightTight ? r : right.charAt(0) + r }
    : { left: l + left.charAt(l.length), right: r };
}

/** Removes pairs of emphasis, quotes or brackets that are empty now. */
function unwrap(left: string, right: string): Seam {
  const l = left.trimEnd();
  const r = right.trimStart();
  const [opener, closer] = [l.at(-1), r[0]];
  if (opener === undefined || closer === undefined) return { left, right };
  const isTight = l === left && r === right;
  const isSame = opener === closer && isTight && (MARKUP.includes(opener) || QUOTES.includes(opener));
  if (!isSame && PAIRS.get(opener) !== closer) return { left, right };
  return unwrap(l.slice(0, -1), r.slice(1));
}
