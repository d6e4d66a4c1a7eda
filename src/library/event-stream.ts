import type { BatonEvent } from "../vocabulary/events.ts";

type Starting = (tell: (event: BatonEvent) => void, left: AbortSignal) => Promise<unknown>;
type Read = IteratorResult<BatonEvent, undefined>;

interface Reader {
  readonly resolve: (read: Read) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Events as they come, for a reader that may be slower than the run; a reader that leaves stops it. By hand, since a generator
 * takes as long to pass an event on as the run does to make it.
 */
export class EventStream implements AsyncIterableIterator<BatonEvent, undefined> {
  readonly #start: Starting;
  readonly #left = new AbortController();
  readonly #readers: Reader[] = [];
  /** What the reader is at, and what has come since. */
  #batch: readonly BatonEvent[] = [];
  #at = 0;
  #waiting: BatonEvent[] = [];
  #state: "new" | "running" | "ended" = "new";
  /** What the run threw, until a reader was told. */
  #failure: { readonly error: unknown } | undefined;

  constructor(start: Starting) {
    this.#start = start;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Read> {
    if (this.#state === "new") this.#begin();
    const value = this.#take();
    if (value !== undefined) return Promise.resolve({ value, done: false });
    return new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject });
      if (this.#state === "ended") this.#endReaders();
    });
  }

  /** The reader leaves. */
  return(): Promise<Read> {
    this.#end();
    this.#failure = undefined;
    this.#batch = [];
    this.#waiting = [];
    this.#left.abort();
    return this.next();
  }

  #begin(): void {
    this.#state = "running";
    this.#start((event) => this.#tell(event), this.#left.signal).then(
      () => this.#end(),
      (error: unknown) => {
        if (this.#state === "running") this.#failure = { error };
        this.#end();
      },
    );
  }

  #tell(value: BatonEvent): void {
    if (this.#state === "ended") return;
    const reader = this.#readers.shift();
    if (reader === undefined) this.#waiting.push(value);
    else reader.resolve({ value, done: false });
  }

  #take(): BatonEvent | undefined {
    if (this.#at === this.#batch.length && this.#waiting.length > 0) {
      this.#batch = this.#waiting;
      this.#waiting = [];
      this.#at = 0;
    }
    return this.#at < this.#batch.length ? this.#batch[this.#at++] : undefined;
  }

  #end(): void {
    this.#state = "ended";
    this.#endReaders();
  }

  #endReaders(): void {
    for (const { resolve, reject } of this.#readers.splice(0)) {
      if (this.#failure === undefined) resolve({ value: undefined, done: true });
      else reject(this.#failure.error);
      this.#failure = undefined;
    }
  }
}
