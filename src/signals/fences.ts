/** An open fenced code block: what a line must contain to close it. */
export interface OpenFence {
  readonly marker: "`" | "~";
  readonly length: number;
  /** Opened inside a block quote, so that the end of the quote closes it too. */
  readonly quoted: boolean;
}

/** Where a line's own text begins, after indentation, quote marks and list markers. */
export interface LinePrefix {
  readonly textStart: number;
  readonly quoted: boolean;
}

const OPENING = /(`{3,}|~{3,})([^\n]*)/y;

/** The fence state after a line that begins with `prefix` and ends at `end`, given the state before it. */
export function updateFence(
  text: string,
  prefix: LinePrefix,
  end: number,
  open: OpenFence | undefined,
): OpenFence | undefined {
  if (open !== undefined && (prefix.quoted || !open.quoted)) {
    return isClosingFence(text, prefix.textStart, end, open) ? undefined : open;
  }
  const first = text.charCodeAt(prefix.textStart);
  if (first !== 96 && first !== 126) return undefined;
  OPENING.lastIndex = prefix.textStart;
  const match = OPENING.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  const marker = first === 96 ? "`" : "~";
  if (marker === "`" && match[2].includes("`")) return undefined;
  return { marker, length: match[1].length, quoted: prefix.quoted };
}

/** Skips what Markdown allows before a line's text: `  > - 1. text`. */
export function readLinePrefix(text: string, start: number, end: number): LinePrefix {
  let at = start;
  let quoted = false;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === 32 || code === 9) at++;
    else if (code === 62) {
      quoted = true;
      at++;
    } else {
      const markerEnd = findListMarkerEnd(text, at, end);
      if (markerEnd === at) break;
      at = markerEnd;
    }
  }
  return { textStart: at, quoted };
}

/** The end of a list marker at `at` (`-`, `*`, `+`, `1.` or `1)`, followed by white space), or `at` if there is none. */
function findListMarkerEnd(text: string, at: number, end: number): number {
  let markerEnd = at;
  const first = text.charCodeAt(at);
  if (first === 45 || first === 42 || first === 43) markerEnd = at + 1;
  else {
    let digits = at;
    while (digits < end && digits - at < 9 && isDigit(text.charCodeAt(digits))) digits++;
    const delimiter = text.charCodeAt(digits);
    if (digits > at && (delimiter === 46 || delimiter === 41)) markerEnd = digits + 1;
  }
  const next = text.charCodeAt(markerEnd);
  return markerEnd > at && (next === 32 || next === 9) ? markerEnd : at;
}

function isClosingFence(text: string, textStart: number, end: number, open: OpenFence): boolean {
  let at = textStart;
  while (at < end && text[at] === open.marker) at++;
  if (at - textStart < open.length) return false;
  while (at < end && /\s/.test(text.charAt(at))) at++;
  return at === end;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
