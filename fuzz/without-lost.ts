import type { BatonEvent } from "../src/vocabulary/events.ts";

/** The events without those that say that somebody went on with the run. */
export function withoutContinued(events: readonly BatonEvent[]): BatonEvent[] {
  return events.filter(({ type }) => type !== "run.continued").map((event, seq) => ({ ...event, seq }));
}

/** The events as they would be if no process had died: without the calls that were lost, and without waits before others. */
export function withoutLost(events: readonly BatonEvent[]): BatonEvent[] {
  const lost = new Set(
    events.flatMap((event) => (event.type === "model.failed" && event.data.code === "lost" ? [event.path] : [])),
  );
  return withoutContinued(events)
    .filter(({ type, path }) => !(lost.has(path) && type.startsWith("model.")))
    .map((event, seq) => renumbered({ ...event, seq }, lost));
}

function renumbered(event: BatonEvent, lost: ReadonlySet<string>): BatonEvent {
  const [, turn, attempt] = /^(.*\/m)(\d+)$/.exec(event.path) ?? [];
  if (turn === undefined || attempt === undefined) return event;
  const before = Array.from({ length: Number(attempt) }, (_, index) => `${turn}${index}`);
  const number = before.filter((path) => !lost.has(path)).length;
  const path = `${turn}${number}`;
  if (event.type !== "model.called") return { ...event, path };
  const { waitMs: _, ...data } = event.data;
  return { ...event, path, data: { ...data, attempt: number } };
}
