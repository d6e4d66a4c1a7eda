import type { BatonEvent } from "../../../src/vocabulary/events.ts";

const SHORTEST = 8;

/** The numbers of the events before `before` that contain a selected text, so that a reader sees where it comes from. */
export function findEventsWith(text: string, events: readonly BatonEvent[], before: number): number[] {
  const wanted = simplify(text);
  if (wanted.length < SHORTEST) return [];
  return events.flatMap(({ seq, data }) =>
    seq !== undefined && seq < before && listTexts(data).some((each) => simplify(each).includes(wanted)) ? [seq] : [],
  );
}

function simplify(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}

/** All texts in a value, however deep. */
function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listTexts);
}
