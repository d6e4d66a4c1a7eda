import type { Reporter } from "./problem-log.ts";
import { placeIn, type Source, type Span } from "./source.ts";

export interface MarkdownParts {
  readonly frontmatter: Span | undefined;
  readonly bodyStart: number;
}

/** Finds the YAML between the `---` lines of a Markdown file, after an optional `#!` line. Nothing else is evaluated. */
export function splitFrontmatter(source: Source, reporter: Reporter): MarkdownParts | undefined {
  const { text } = source;
  let start = 0;
  if (text.startsWith("#!")) start = lineEnd(text, 0) + 1;
  while (start < text.length && lineAt(text, start) === "") start = lineEnd(text, start) + 1;
  const fence = lineAt(text, start);
  if (!fence.startsWith("---")) return { frontmatter: undefined, bodyStart: Math.min(start, text.length) };
  if (fence !== "---") {
    const span = { start, end: start + fence.length };
    reporter.report(
      "yaml-syntax",
      placeIn(source, span),
      "frontmatter begins with a line of three dashes and nothing else",
    );
    return undefined;
  }
  const yamlStart = lineEnd(text, start) + 1;
  for (let at = yamlStart; at < text.length; at = lineEnd(text, at) + 1) {
    if (lineAt(text, at) === "---") {
      return { frontmatter: { start: yamlStart, end: at }, bodyStart: Math.min(lineEnd(text, at) + 1, text.length) };
    }
  }
  const span = { start, end: start + 3 };
  reporter.report(
    "yaml-syntax",
    placeIn(source, span),
    "frontmatter is never closed: end it with a line of three dashes",
  );
  return undefined;
}

function lineAt(text: string, start: number): string {
  return text.slice(start, lineEnd(text, start)).trimEnd();
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}
