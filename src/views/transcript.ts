import type { BatonEvent } from "../vocabulary/events.ts";
import { findContext, listContents } from "./list-contents.ts";
import type { Content, TranscriptEntry } from "./transcript-entry.ts";

interface Section {
  readonly name: string;
  readonly isGroup: boolean;
  readonly items: ((Content & { readonly ts: number; readonly path: string }) | Section)[];
}
/**
 * Builds the transcript: who said what to whom. It follows the tree of the run, so parallel work is told one agent after the
 * other.
 */
export function buildTranscript(events: readonly BatonEvent[]): TranscriptEntry[] {
  const root: Section = { name: "", isGroup: false, items: [] };
  const sections = new Map([["", root]]);
  const said = new Set<string>();
  const lastReplies = new Map<string, string>();
  const context = findContext(events, said);
  for (const event of events) {
    const { path, ts } = event;
    const section = findEnclosing(path, sections);
    const { items } = sections.get(path) ?? section;
    // Advisors and teams that work before an agent speaks are part of its session.
    const isOpen = openings.has(event.type) && sections.has(path);
    if (event.type === "model.completed") lastReplies.set(findSession(path), path);
    const isSaid = isSaidBeside(event, items, lastReplies.get(path));
    const contents = isOpen || isSaid ? [] : listContents(event, section, context);
    for (const content of contents) {
      items.push({ ...content, ts, path });
      if ("text" in content) said.add(content.text);
    }
    for (const words of listSideRemarks(event)) said.add(words);
    const [opened] = contents;
    if (opened?.type !== "began" && opened?.type !== "group" && opened?.type !== "crew") continue;
    const inside: Section = { name: opened.name, isGroup: opened.type !== "began", items: [] };
    items.push(inside);
    sections.set(path, inside);
  }
  return flatten(root, 0);
}
/** Texts that readers have seen already although no entry says them. */
function listSideRemarks(event: BatonEvent): string[] {
  switch (event.type) {
    case "parallel.joined":
    case "crews.joined":
      return [event.data.output];
    case "team.started":
      return [event.data.task];
    case "run.resumed":
      return [event.data.input ?? ""];
    default:
      return [];
  }
}
const openings: ReadonlySet<BatonEvent["type"]> = new Set(["agent.started", "advisors.started", "team.started"]);
/** A call is inside a turn, and a turn inside a session. */
function findSession(call: string): string {
  return call.split("/").slice(0, -2).join("/");
}

/** Whether the words beside a call are the answer: the call ends the agent's session, or its turn in a team. */
function isSaidBeside(event: BatonEvent, items: Section["items"], reply: string | undefined): boolean {
  const text =
    event.type === "agent.completed"
      ? event.data.answer
      : event.type === "team.broadcast"
        ? event.data.message
        : undefined;
  if (text === undefined || reply === undefined) return false;
  return items.some((item) => "path" in item && item.path === reply && item.type === "said" && item.text === text);
}
function findEnclosing(path: string, sections: ReadonlyMap<string, Section>): Section {
  const above = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const section = sections.get(above);
  return section ?? findEnclosing(above, sections);
}

function flatten({ items }: Section, depth: number): TranscriptEntry[] {
  return items.flatMap((item) => ("items" in item ? flatten(item, depth + 1) : [{ ...item, depth }]));
}
