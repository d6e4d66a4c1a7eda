/** One change of a text; all else, comments too, stays as it is. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

interface Fixable {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly message: string;
  readonly suggestion?: string | undefined;
}

/** Puts the nearest valid name in the place of a wrong one; undefined where nothing is near or the wrong name is not there. */
export function findFix(text: string, { line, column = 1, message, suggestion }: Fixable): TextEdit | undefined {
  if (suggestion === undefined || line === undefined) return undefined;
  const begin = findLine(text, line);
  const wrong = [...message.matchAll(/'([^']+)'/g)].map(([, name = ""]) => name).filter((name) => name !== suggestion);
  const end = text.indexOf("\n", begin);
  const rest = text.slice(begin, end === -1 ? undefined : end);
  // The place is that of the wrong name, or of a quotation mark before it.
  for (const name of wrong) {
    const at = rest.indexOf(name, column - 1);
    if (at !== -1 && at <= column) return { from: begin + at, to: begin + at + name.length, insert: suggestion };
  }
  return undefined;
}

/** Where a line begins; lines count from 1. */
export function findLine(text: string, line: number): number {
  let at = 0;
  for (let count = 1; count < line; count++) {
    const next = text.indexOf("\n", at);
    if (next === -1) return at;
    at = next + 1;
  }
  return at;
}
