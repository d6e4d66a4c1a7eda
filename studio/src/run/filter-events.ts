import { type BatonEvent, nameSpeaker } from "../../../src/vocabulary/events.ts";
import { findKind } from "./describe-event.ts";
import type { RunView } from "./run-state.ts";

/** The events of the chosen kinds that contain all words of the query. */
export function filterEvents(
  events: readonly BatonEvent[],
  { kinds, query }: Pick<RunView, "kinds" | "query">,
): readonly BatonEvent[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (kinds.length === 0 && words.length === 0) return events;
  return events.filter((event) => {
    if (kinds.length > 0 && !kinds.includes(findKind(event.type))) return false;
    if (words.length === 0) return true;
    const text = `${event.type} ${nameSpeaker(event)} ${JSON.stringify(event.data)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
