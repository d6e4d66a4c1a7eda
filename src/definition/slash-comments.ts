import { parseDocument } from "yaml";
import type { Span } from "./source.ts";

/** As many as show what is wrong. */
const MAX_SHOWN = 5;

/** What other languages take for a comment, up to the end of the line: at its beginning, or behind a value. */
const COMMENT = /(?:^|(?<=[\s\]}"',]))\/[/*].*$/gm;

/** Explains what a text that is meant as a comment should begin with. */
export function explainSlashes(comment: string): string {
  return `a comment in YAML begins with '#', not with '${comment.slice(0, 2)}'`;
}

/** The comment of another language at the end of a text, if there is one. */
export function findTrailingComment(text: string): string | undefined {
  return /(?:^|\s)(\/[/*].*)$/m.exec(text)?.[1];
}

/**
 * Texts that are meant as comments, where writing them as YAML's makes a text valid that is not; none otherwise. `errorsAt` is where the
 * parser stumbled: a text in quotes on another line may have slashes as well.
 */
export function findSlashComments(text: string, errorsAt: readonly number[]): Span[] {
  const found = [...text.matchAll(COMMENT)].map(({ 0: comment, index }) => ({
    start: index,
    end: index + comment.trimEnd().length,
  }));
  if (found.length === 0) return [];
  const mended = text.replace(COMMENT, (comment) => ` #${comment}`);
  const { errors } = parseDocument(mended, { uniqueKeys: false, prettyErrors: false, logLevel: "error" });
  if (errors.length > 0) return [];
  const findLine = (at: number) => text.lastIndexOf("\n", at - 1);
  const lines = new Set(errorsAt.map(findLine));
  const near = found.filter(({ start }) => lines.has(findLine(start)));
  return (near.length > 0 ? near : found).slice(0, MAX_SHOWN);
}
