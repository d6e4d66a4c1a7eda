import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { WakeUps } from "./wake-ups.ts";

/** The events of a run from some event on, and whether more may come. */
export interface Tail {
  readonly events: readonly BatonEvent[];
  readonly isAtRest: boolean;
}

/** Yields events as they are added. `read` returns no events if there is no run yet, and undefined once the store is closed. */
export async function* tailEvents(
  read: (fromSeq: number) => Tail | undefined,
  wakeUps: WakeUps,
  runId: RunId,
  fromSeq: number,
  signal: AbortSignal,
): AsyncGenerator<BatonEvent, void> {
  let next = fromSeq;
  while (!signal.aborted) {
    const tail = read(next);
    if (tail === undefined) return;
    for (const event of tail.events) {
      if (signal.aborted) return;
      yield event;
    }
    next += tail.events.length;
    if (tail.events.length > 0) continue;
    if (tail.isAtRest) return;
    // No event can have been added since the read, because both happen in the same turn.
    await wakeUps.wait(runId, signal);
  }
}
