import { dirname } from "node:path";
import { readMap } from "../definition/agent-file.ts";
import { findEntry } from "../definition/fields.ts";
import { silentReporter } from "../definition/problem-log.ts";
import { MAX_REPLIES_BYTES, readText } from "../definition/read-text.ts";
import { createSource } from "../definition/source.ts";

/** Finds the line of a scenario file that has a line of a file inside it, under `files`. */
export function createInlineLines(scenarioFile: string): (name: string, line: number) => number {
  const result = readText(scenarioFile, dirname(scenarioFile), MAX_REPLIES_BYTES);
  const source = createSource(scenarioFile, "problem" in result ? "" : result.text);
  const root = readMap(source, { start: 0, end: source.text.length }, silentReporter);
  const files = findEntry(root, "files")?.value;
  return (name, line) => {
    const value = files?.kind === "map" ? files.entries.find(({ key }) => key === name)?.value : undefined;
    if (value === undefined) return 1;
    const start = source.position(value.span.start).line;
    // A block of text begins on the line after its `|`; a text on one line has no lines of its own.
    return /[|>]/.test(source.text.charAt(value.span.start)) ? start + line : start;
  };
}
