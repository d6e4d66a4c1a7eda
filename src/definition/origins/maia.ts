import { type OpenFence, readLinePrefix, updateFence } from "../../signals/fences.ts";
import type { Reporter } from "../problem-log.ts";
import { placeIn, type Source, type Span } from "../source.ts";

/** What the text of an agent says of the agent, as Maia's files do. */
export interface BodyNotes {
  /** What it is for, from a `**Purpose**:` line of its first section. */
  readonly purpose: string | undefined;
  /** A list of collaborators that Maia does not read. */
  readonly unread: Span | undefined;
}

const PURPOSE = /^\s*(?:[-*+]\s+)?\*\*purpose:?\*\*:?[ \t]*(.+)$/i;
const UNREAD = /^\s*(?:[-*+]\s+)?(?:#{1,6}\s+)?(?:\*\*)?primary collaborations:?(?:\*\*)?:?\s*$/i;
/** A heading that ends the section that says what the agent is. */
const SECTION = /^#{2,6}\s/;

/** Reads the notes out of a prompt, which begins at `offset` of its file. Code is left alone. */
export function findBodyNotes(body: string, offset: number): BodyNotes {
  let fence: OpenFence | undefined;
  let sections = 0;
  let purpose: string | undefined;
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf("\n", start);
    const end = newline === -1 ? body.length : newline;
    const line = body.slice(start, end).trimEnd();
    const before = fence;
    fence = updateFence(body, readLinePrefix(body, start, end), end, before);
    if (before === undefined && fence === undefined) {
      if (UNREAD.test(line)) return { purpose, unread: { start: offset + start, end: offset + start + line.length } };
      if (SECTION.test(line)) sections++;
      if (sections < 2) purpose ??= PURPOSE.exec(line)?.[1]?.trim();
    }
    start = end + 1;
  }
  return { purpose, unread: undefined };
}

/** Says that collaborators of such a list are offered no transfers. */
export function reportUnread({ unread }: BodyNotes, source: Source, reporter: Reporter): void {
  if (unread === undefined) return;
  const idle = {
    key: "**Primary Collaborations**",
    why: "Maia does not read it; a line that begins with **Collaborations**: offers transfers",
    system: "Maia",
  };
  reporter.report("no-effect", placeIn(source, unread), `'${idle.key}' has no effect: ${idle.why}`, { idle });
}
