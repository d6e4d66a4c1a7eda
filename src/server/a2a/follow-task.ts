import type { BatonEvent } from "../../vocabulary/events.ts";
import type { RunId } from "../../vocabulary/ids.ts";
import type { Service } from "../service.ts";
import { readRun } from "../stream-run.ts";

/** Gives a run's stored events from `fromSeq` on, until the run ends, pauses or the reader leaves. */
export async function* followTask(
  { store, channels }: Pick<Service, "store" | "channels">,
  runId: RunId,
  fromSeq: number,
  signal: AbortSignal,
): AsyncGenerator<BatonEvent, void, undefined> {
  const waiting: BatonEvent[] = [];
  const leaves: (() => void)[] = [];
  let hasEnded = false;
  let wake = Promise.withResolvers<void>();
  const end = () => {
    hasEnded = true;
    wake.resolve();
  };
  signal.addEventListener("abort", end, { once: true });
  const reader = {
    tell(event: BatonEvent) {
      // Pieces of words are not told: an answer is told when it is whole.
      if (event.seq === undefined) return;
      waiting.push(event);
      wake.resolve();
    },
    rest: end,
    onLeave: (leave: () => void) => leaves.push(leave),
  };
  try {
    await readRun(reader, runId, fromSeq, store, channels);
    for (;;) {
      yield* waiting.splice(0);
      if (waiting.length > 0) continue;
      if (hasEnded || signal.aborted) return;
      await wake.promise;
      wake = Promise.withResolvers<void>();
    }
  } finally {
    signal.removeEventListener("abort", end);
    for (const leave of leaves) leave();
  }
}
