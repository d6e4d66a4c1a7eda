import type { BatonEvent } from "../vocabulary/events.ts";

type Read = IteratorResult<BatonEvent, undefined>;

interface Waiting {
  readonly resolve: (read: Read) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Events as they come, for a reader that may be slower than the run. Written by hand, because a generator takes as long to pass an
 * event on as the run takes to make it.
 */
export class EventReader implements AsyncIterableIterator<BatonEvent> {
  readonly #onLeave: (reader: EventReader) => void;
  readonly #waiting: Waiting[] = [];
  /** What is being read, and what has come since. */
  #batch: readonly BatonEvent[];
  #at = 0;
  #queue: BatonEvent[] = [];
  #hasEnded = false;
  /** What the run threw, until the reader was told. */
  #failure: { readonly error: unknown } | undefined;

  /** `before` is what the run has told already. `onLeave` is called when the reader stops before the end. */
  constructor(before: readonly BatonEvent[], onLeave: (reader: EventReader) => void) {
    this.#batch = before;
    this.#onLeave = onLeave;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Read> {
    const value = this.#take();
    if (value !== undefined) return Promise.resolve({ value, done: false });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (this.#hasEnded) this.#endWaiting();
    });
  }

  /** The reader leaves. */
  return(): Promise<Read> {
    const isEarly = !this.#hasEnded;
    this.end();
    this.#failure = undefined;
    this.#batch = [];
    this.#queue = [];
    if (isEarly) this.#onLeave(this);
    return this.next();
  }

  push(value: BatonEvent): void {
    if (this.#hasEnded) return;
    const reader = this.#waiting.shift();
    if (reader === undefined) this.#queue.push(value);
    else reader.resolve({ value, done: false });
  }

  /** No more events come; after those that are waiting, the reader gets the failure, if there is one. */
  end(failure?: { readonly error: unknown }): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#failure = failure;
    this.#endWaiting();
  }

  #take(): BatonEvent | undefined {
    if (this.#at >= this.#batch.length && this.#queue.length > 0) {
      this.#batch = this.#queue;
      this.#queue = [];
      this.#at = 0;
    }
    return this.#at < this.#batch.length ? this.#batch[this.#at++] : undefined;
  }

  #endWaiting(): void {
    for (const { resolve, reject } of this.#waiting.splice(0)) {
      if (this.#failure === undefined) resolve({ value: undefined, done: true });
      else reject(this.#failure.error);
      this.#failure = undefined;
    }
  }
}
