import type { BatonEvent } from "../../../src/vocabulary/events.ts";

/** Something that went wrong in a run, as the server's diagnosis tells it. */
export interface RunFinding {
  readonly code: string;
  readonly title: string;
  readonly advice?: string | undefined;
  /** The numbers of the events that show it. */
  readonly events: readonly number[];
}

/** What the page of a run shows: all of it is data, so that an exported file shows the same without a server. */
export interface RunData {
  readonly runId: string;
  readonly crew: string;
  readonly events: readonly BatonEvent[];
  readonly findings: readonly RunFinding[];
  /** Text of answers that are being written, by the path of their session. */
  readonly streams: ReadonlyMap<string, string>;
}

/** The events up to a number, or all of them. */
export function cutEvents(events: readonly BatonEvent[], at: number | undefined): readonly BatonEvent[] {
  if (at === undefined) return events;
  const end = events.findIndex(({ seq = 0 }) => seq > at);
  return end === -1 ? events : events.slice(0, end);
}

/** Finds the event with a number. Numbers have no gaps, so this is nearly always the first guess. */
export function findEvent(events: readonly BatonEvent[], seq: number | undefined): BatonEvent | undefined {
  if (seq === undefined) return undefined;
  const first = events[0]?.seq ?? 0;
  const guess = events[seq - first];
  return guess?.seq === seq ? guess : events.find((event) => event.seq === seq);
}
