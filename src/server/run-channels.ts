import type { Store } from "../journal/store.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";

/** A reader of a run's events as they come. The frame is the event as it is sent; all readers share it. */
export interface ChannelReader {
  push(event: BatonEvent, frame: string): void;
}

interface Channel {
  readonly readers: Set<ChannelReader>;
  /** The number of the next stored event: each is told once, whoever brings it. */
  next: number;
  /** Follows the run in the store, where another process has it. */
  pump: AbortController | undefined;
}

/** Who reads which runs. Events of our own runs are told as they become durable; others are followed in the store, once for all. */
export class RunChannels {
  readonly #channels = new Map<RunId, Channel>();
  readonly #store: Pick<Store, "tail">;
  readonly #isOurs: (runId: RunId) => boolean;

  constructor(store: Pick<Store, "tail">, isOurs: (runId: RunId) => boolean) {
    this.#store = store;
    this.#isOurs = isOurs;
  }

  /** Tells the readers of a run. Without readers it costs nothing. */
  tell(event: BatonEvent): void {
    const channel = this.#channels.get(event.runId);
    if (channel === undefined) return;
    const { seq } = event;
    if (seq !== undefined && seq < channel.next) return;
    if (seq !== undefined) channel.next = seq + 1;
    const frame = formatFrame(event);
    for (const reader of [...channel.readers]) reader.push(event, frame);
  }

  /** Tells a reader of all that comes from now on, until the returned function is called. */
  subscribe(runId: RunId, reader: ChannelReader): () => void {
    const channel = this.#channels.get(runId) ?? { readers: new Set(), next: 0, pump: undefined };
    this.#channels.set(runId, channel);
    channel.readers.add(reader);
    return () => {
      channel.readers.delete(reader);
      if (channel.readers.size > 0 || this.#channels.get(runId) !== channel) return;
      channel.pump?.abort();
      this.#channels.delete(runId);
    };
  }

  /** Makes sure that events from `fromSeq` on are told, also of a run that another process has. */
  follow(runId: RunId, fromSeq: number): void {
    const channel = this.#channels.get(runId);
    if (channel === undefined || channel.pump !== undefined || this.#isOurs(runId)) return;
    const pump = new AbortController();
    channel.pump = pump;
    void this.#pump(runId, fromSeq, pump.signal).finally(() => {
      channel.pump = undefined;
    });
  }

  async #pump(runId: RunId, fromSeq: number, signal: AbortSignal): Promise<void> {
    try {
      for await (const event of this.#store.tail(runId, fromSeq, signal)) this.tell(event);
    } catch {
      // The store is gone or damaged, which whoever reads the run itself is told.
    }
  }
}

/** An event as server-sent events write it: stored ones have their number as an id, deltas have none. */
export function formatFrame(event: BatonEvent): string {
  const data = JSON.stringify(event);
  return event.seq === undefined ? `data: ${data}\n\n` : `id: ${event.seq}\ndata: ${data}\n\n`;
}
