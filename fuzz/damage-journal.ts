import type { BatonEvent } from "../src/vocabulary/events.ts";
import type { Damage } from "./random-surroundings.ts";

/** A journal with one thing wrong in it, after its first event. */
export function damageJournal(events: readonly BatonEvent[], { at, how }: Damage): BatonEvent[] {
  const index = 1 + Math.floor((at * (events.length - 1)) / 1000);
  const event = events[index];
  if (event === undefined) return [...events];
  return damage(events, index, event, how).map((each, seq) => ({ ...each, seq, id: `${each.runId}.${seq}` }));
}

function damage(events: readonly BatonEvent[], index: number, event: BatonEvent, how: Damage["how"]): BatonEvent[] {
  switch (how) {
    case "missing":
      return events.toSpliced(index, 1);
    case "twice":
      return events.toSpliced(index, 0, event);
    case "swapped":
      return events.toSpliced(index, 1).toSpliced(index - 1, 0, event);
    case "elsewhere":
      return events.with(index, { ...event, path: `${event.path}/elsewhere` });
    case "unknown":
      return events.with(index, { ...event, type: "context.trimmed", data: { messages: 1 } });
  }
}
