import type { BatonEvent } from "../events.ts";

/** Events as they come, for a reader that may be slower than the run; a reader that leaves stops it. */
export async function* streamEvents(
  start: (tell: (event: BatonEvent) => void, left: AbortSignal) => Promise<unknown>,
): AsyncIterable<BatonEvent> {
  const waiting: BatonEvent[] = [];
  const left = new AbortController();
  let wake = () => {};
  let isDone = false;
  const run = start((event) => {
    waiting.push(event);
    wake();
  }, left.signal).finally(() => {
    isDone = true;
    wake();
  });
  // A failure is thrown to the reader below; until then it is not unhandled.
  run.catch(() => {});
  try {
    while (!isDone || waiting.length > 0) {
      const event = waiting.shift();
      if (event !== undefined) yield event;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    await run;
  } finally {
    left.abort();
  }
}
