import type { BatonEvent } from "../vocabulary/events.ts";

/** Counts how often each signal was emitted in some runs. */
export function countSignals(runs: Iterable<readonly BatonEvent[]>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const events of runs) {
    for (const event of events) {
      if (event.type === "signal.emitted") counts.set(event.data.signal, (counts.get(event.data.signal) ?? 0) + 1);
    }
  }
  return counts;
}
