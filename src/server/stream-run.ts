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
  /** While the past is told: waits until the reader has taken most of it; undefined if it can take more now. */
  ready?(): Promise<void> | undefined;
}

/** How many events of the past are read at once. */
const PAGE = 200;

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
    ready: () => stream.ready(),
  };
  return readRun(reader, runId, fromSeq, store, channels);
}

/**
 * Tells a reader of a run's events from `fromSeq` on, each stored one once, until the run ends or pauses. The past is read page by page,
 * as fast as the reader takes it; what happens while the last page is read waits for its turn.
 */
export async function readRun(
  reader: RunReader,
  runId: RunId,
  fromSeq: number,
  store: Pick<Store, "read" | "tail">,
  channels: RunChannels,
): Promise<void> {
  let next = fromSeq;
  let hasLeft = false;
  const send = (event: BatonEvent, frame: string) => {
    if (event.seq !== undefined && event.seq < next) return;
    if (event.seq !== undefined) next = event.seq + 1;
    reader.tell(event, frame);
  };
  const goLive = (event: BatonEvent, frame: string) => {
    send(event, frame);
    if (isAtRest(event)) reader.rest(event);
  };
  let push: (event: BatonEvent, frame: string) => void = ignore;
  const unsubscribe = channels.subscribe(runId, { push: (event, frame) => push(event, frame) });
  reader.onLeave(() => {
    hasLeft = true;
    unsubscribe();
  });
  // A reader that knows every event, or more than there are, still needs to be told how the run stands.
  let from = Math.max(0, fromSeq - 1);
  let last: BatonEvent | undefined;
  for (;;) {
    const waiting: Told[] = [];
    push = (event, frame) => waiting.push({ event, frame });
    const page = await store.read(runId, from, PAGE);
    if (hasLeft) return;
    last = page.at(-1) ?? last ?? (await store.read(runId)).at(-1);
    const isWhole = tellPage(page);
    if (isWhole && page.length < PAGE) {
      push = goLive;
      finish(waiting);
      return;
    }
    push = ignore;
    await reader.ready?.();
    from = next;
    if (hasLeft) return;
  }

  /** Tells a page of the past, as far as the reader can take it. Returns whether it took all. */
  function tellPage(page: readonly BatonEvent[]): boolean {
    for (const event of page) {
      if (event.seq !== undefined) send(event, formatFrame(event));
      if (reader.ready?.() !== undefined) return false;
    }
    return true;
  }

  function finish(waiting: readonly Told[]): void {
    // Deltas of calls that are part of the past would come after their call's end.
    const known = waiting.findLastIndex(({ event }) => event.seq !== undefined && event.seq < next);
    const fresh = waiting.slice(known + 1);
    for (const { event, frame } of fresh) send(event, frame);
    const newest = fresh.findLast(({ event }) => event.seq !== undefined)?.event ?? last;
    if (newest !== undefined && isAtRest(newest)) reader.rest(newest);
    else channels.follow(runId, next);
  }
}

/** An event, and how it is sent. */
interface Told {
  readonly event: BatonEvent;
  readonly frame: string;
}

function ignore(): void {}

/** The last frame: the run's status, so that a reader knows that nothing more comes. */
function formatEnd(event: BatonEvent): string {
  return `event: end\ndata: ${JSON.stringify({ status: event.type.slice("run.".length), runId: event.runId })}\n\n`;
}
