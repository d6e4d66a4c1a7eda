/** A file that was read, and where its lines begin. */
export interface Source {
  readonly file: string;
  readonly text: string;
  position(offset: number): { readonly line: number; readonly column: number };
  lineAt(line: number): string;
}

/** A part of a source, by offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a problem is. Without a source (a file that could not be read) only the file is known. */
export interface Place {
  readonly file: string;
  readonly source?: Source;
  readonly span?: Span;
}

export function createSource(file: string, text: string): Source {
  let starts: readonly number[] | undefined;
  const lineStarts = (): readonly number[] => {
    starts ??= findLineStarts(text);
    return starts;
  };
  return {
    file,
    text,
    position(offset) {
      const line = countUpTo(lineStarts(), offset);
      return { line, column: offset - (lineStarts()[line - 1] ?? 0) + 1 };
    },
    lineAt(line) {
      const start = lineStarts()[line - 1] ?? 0;
      return text.slice(start, (lineStarts()[line] ?? text.length + 1) - 1).replace(/\r$/, "");
    },
  };
}

export function placeIn(source: Source, span?: Span): Place {
  return span === undefined ? { file: source.file, source } : { file: source.file, source, span };
}

/** The same text with a space for each tab that a line is indented by, which YAML refuses. Every place stays where it is. */
export function indentBySpaces({ file, text }: Source): Source {
  const spaced = text.replace(/^[ \t]*\t[ \t]*/gm, (indent) => " ".repeat(indent.length));
  return createSource(file, spaced);
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** How many of the ascending `numbers` are at most `limit`. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
