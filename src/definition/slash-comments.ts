import { parseDocument } from "yaml";
import type { Span } from "./source.ts";

/** As many as show what is wrong. */
const MAX_SHOWN = 5;

/** Lines that are meant as comments, where writing them as YAML's makes a text valid that is not; none otherwise. */
export function findSlashComments(text: string): Span[] {
  const spans = [...text.matchAll(/^[ \t]*(\/\/.*)$/gm)].map(({ 0: line, 1: comment = "", index }) => {
    const start = index + line.length - comment.length;
    return { start, end: start + comment.trimEnd().length };
  });
  if (spans.length === 0) return [];
  const mended = text.replace(/^([ \t]*)\/\//gm, "$1# ");
  const { errors } = parseDocument(mended, { uniqueKeys: false, prettyErrors: false, logLevel: "error" });
  return errors.length === 0 ? spans.slice(0, MAX_SHOWN) : [];
}
