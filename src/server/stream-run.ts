import type { Store } from "../journal/store.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { EventStream } from "./event-streams.ts";
import { formatFrame, type RunChannels } from "./run-channels.ts";
import { isAtRest } from "./run-standing.ts";

interface StreamedRun {
  readonly runId: RunId;
  /** The number of the first event that the reader wants. */
  readonly fromSeq: number;
  readonly hasDeltas: boolean;
}

/** Whoever reads a run's events. The frame is the event as it is sent. */
export interface RunReader {
  tell(event: BatonEvent, frame: string): void;
  /** The run has ended or pauses: nothing more comes. */
  rest(event: BatonEvent): void;
  /** Takes what ends the reading. */
  onLeave(leave: () => void): void;
}

/** Sends a run's events from `fromSeq` on, each stored one once, until the run ends or pauses. */
export function streamRun(
  stream: EventStream,
  { runId, fromSeq, hasDeltas }: StreamedRun,
  store: Pick<Store, "read" | "tail">,
  channels: RunChannels,
): Promise<void> {
  const reader: RunReader = {
    tell: (event, frame) => {
      if (event.seq !== undefined || hasDeltas) stream.write(frame);
    },
    rest: (event) => stream.end(formatEnd(event)),
    onLeave: (leave) => stream.onClose(leave),
  };
  return readRun(reader, runId, fromSeq, store, channels);
}

/**
 * Tells a reader of a run's events from `fromSeq` on, each stored one once, until the run ends or pauses. What happens while the past
 * is read waits for its turn.
 */
export async function readRun(
  reader: RunReader,
  runId: RunId,
  fromSeq: number,
  store: Pick<Store, "read" | "tail">,
  channels: RunChannels,
): Promise<void> {
  let next = fromSeq;
  let waiting: { readonly event: BatonEvent; readonly frame: string }[] | undefined = [];
  const send = (event: BatonEvent, frame: string) => {
    if (event.seq !== undefined && event.seq < next) return;
    if (event.seq !== undefined) next = event.seq + 1;
    reader.tell(event, frame);
  };
  const unsubscribe = channels.subscribe(runId, {
    push(event, frame) {
      if (waiting !== undefined) waiting.push({ event, frame });
      else {
        send(event, frame);
        if (isAtRest(event)) reader.rest(event);
      }
    },
  });
  reader.onLeave(unsubscribe);
  // A reader that knows every event, or more than there are, still needs to be told how the run stands.
  const before = await store.read(runId, Math.max(0, fromSeq - 1));
  const past = before.filter(({ seq = 0 }) => seq >= fromSeq);
  const last = before.at(-1) ?? (await store.read(runId)).at(-1);
  for (const event of past) if (event.seq !== undefined) send(event, formatFrame(event));
  // Deltas of calls that are part of the past would come after their call's end.
  const known = waiting.findLastIndex(({ event }) => event.seq !== undefined && event.seq < next);
  const fresh = waiting.slice(known + 1);
  waiting = undefined;
  for (const { event, frame } of fresh) send(event, frame);
  const newest = fresh.findLast(({ event }) => event.seq !== undefined)?.event ?? last;
  if (newest !== undefined && isAtRest(newest)) reader.rest(newest);
  else channels.follow(runId, next);
}

/** The last frame: the run's status, so that a reader knows that nothing more comes. */
function formatEnd(event: BatonEvent): string {
  return `event: end\ndata: ${JSON.stringify({ status: event.type.slice("run.".length), runId: event.runId })}\n\n`;
}
