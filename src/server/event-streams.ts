import type { ServerResponse } from "node:http";

/** Until then a proxy knows that the stream is alive. */
const PING_MS = 15_000;
/** How many frames and bytes wait for a reader before its stream ends. */
const MAX_WAITING = 1000;
const MAX_WAITING_BYTES = 4 * 2 ** 20;
/** The past is sent in parts that leave room for what happens meanwhile. */
const PART = 500;
const PART_BYTES = 2 ** 20;
/** When a reader is to come back after the server stopped. */
const RETRY_MS = 2000;

/** One reader's stream. A reader that is too slow loses its stream, and holds up nobody. */
export interface EventStream {
  /** Returns whether the stream is still open. */
  write(frame: string): boolean;
  end(frame?: string): void;
  /** Waits until most of what was written is sent, or the stream has ended; undefined if there is room for more. */
  ready(): Promise<void> | undefined;
  /** Calls back once, when the stream has ended, whoever ended it. */
  onClose(callback: () => void): void;
}

/** All streams of the server. */
export class EventStreams {
  readonly #open = new Set<OpenStream>();
  readonly #ping: NodeJS.Timeout;
  /** How many streams ended because their readers were too slow. */
  dropped = 0;

  constructor() {
    this.#ping = setInterval(() => {
      for (const stream of [...this.#open]) stream.write(": ping\n\n");
    }, PING_MS);
    this.#ping.unref();
  }

  get size(): number {
    return this.#open.size;
  }

  open(outgoing: ServerResponse, headers: Readonly<Record<string, string>> = {}): EventStream {
    outgoing.writeHead(200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      // Proxies that would collect a response before they pass it on must not.
      "X-Accel-Buffering": "no",
      ...headers,
    });
    outgoing.flushHeaders();
    const stream = new OpenStream(outgoing, () => {
      this.dropped++;
    });
    this.#open.add(stream);
    stream.onClose(() => this.#open.delete(stream));
    return stream;
  }

  /** Ends every stream, and tells readers when to come back. */
  close(): void {
    clearInterval(this.#ping);
    for (const stream of [...this.#open]) stream.end(`retry: ${RETRY_MS}\n\n`);
  }
}

class OpenStream implements EventStream {
  readonly #outgoing: ServerResponse;
  readonly #onDrop: () => void;
  #waiting = 0;
  #isCorked = false;
  #tellReady: () => void = () => {};
  #hasEnded = false;

  constructor(outgoing: ServerResponse, onDrop: () => void) {
    this.#outgoing = outgoing;
    this.#onDrop = onDrop;
    outgoing.once("close", () => this.#tellReady());
  }

  write(frame: string): boolean {
    const outgoing = this.#outgoing;
    if (this.#hasEnded || outgoing.destroyed) return false;
    if (this.#waiting >= MAX_WAITING || outgoing.writableLength > MAX_WAITING_BYTES) {
      this.#hasEnded = true;
      this.#onDrop();
      outgoing.destroy();
      return false;
    }
    this.#waiting++;
    // What comes in the same moment is one write to the socket.
    if (!this.#isCorked) {
      this.#isCorked = true;
      outgoing.cork();
      process.nextTick(this.#uncork);
    }
    outgoing.write(frame, this.#onWritten);
    return true;
  }

  readonly #uncork = (): void => {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#outgoing.uncork();
  };

  readonly #onWritten = (): void => {
    this.#waiting--;
    if (this.#waiting === 0) this.#tellReady();
  };

  ready(): Promise<void> | undefined {
    const { destroyed, writableLength } = this.#outgoing;
    if (destroyed || (this.#waiting < PART && writableLength < PART_BYTES)) return undefined;
    return new Promise((resolve) => {
      this.#tellReady = resolve;
    });
  }

  end(frame = ""): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // Node would send the end before what is corked.
    this.#uncork();
    this.#outgoing.end(frame);
  }

  onClose(callback: () => void): void {
    // A reader may have gone away while the first answer was prepared.
    if (this.#outgoing.destroyed) queueMicrotask(callback);
    else this.#outgoing.once("close", callback);
  }
}
