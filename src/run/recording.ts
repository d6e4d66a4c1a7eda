import type { BatonEvent, EventPlace, EventType } from "../vocabulary/events.ts";
import type { Clock } from "./clock.ts";

/** A run over a journal did something else than the journal says. */
export class Divergence extends Error {
  readonly expected: BatonEvent | undefined;
  /** What the run gives instead; undefined where it only does not reach what was expected. */
  readonly actual: { readonly type: EventType; readonly path: string } | undefined;

  constructor(expected: BatonEvent | undefined, actual?: { readonly type: EventType; readonly path: string }) {
    const was = expected === undefined ? "nothing" : describe(expected);
    const is =
      actual === undefined ? ", to which the run does not come now" : ` where the run now gives ${describe(actual)}`;
    super(`the journal has ${was}${is}`);
    this.name = "Divergence";
    this.expected = expected;
    this.actual = actual;
  }
}

function describe({ type, path }: { readonly type: EventType; readonly path: string }): string {
  return `${type} at ${path || "/"}`;
}

/** Events that come from outside the run's own logic, or wait for it to be idle: they are released, all else follows from them. */
const results: ReadonlySet<EventType> = new Set([
  "model.completed",
  "model.failed",
  "tool.completed",
  "tool.failed",
  "function.completed",
  "function.failed",
  "run.paused",
  "run.resumed",
  "run.cancelling",
  "external.delivered",
  "deadline.passed",
]);

interface Waiter {
  /** The type of event to wait for, if it is not a result. */
  readonly type?: EventType;
  readonly onResult: (event: BatonEvent) => void;
  /** The recording ended before the result came. */
  readonly onEnd: () => void;
  /** The run does not reach what is recorded next: it is not the run that was recorded. */
  readonly onStuck: (error: Error) => void;
}

/** Hears of every recorded event that the recording hands out. */
interface Follower {
  advanced(event: BatonEvent): void;
}

/** What the journal holds when a run begins, handed out again in the same order as the run is replayed. */
export class Recording {
  readonly #events: readonly BatonEvent[];
  readonly #clock: Clock;
  readonly #follower: Follower;
  #waiting: Map<string, Waiter> | undefined;
  /** What is recorded, indexed when it is first asked for. */
  #keys: ReadonlySet<string> | undefined;
  #next = 0;
  #isDeferred = false;
  /** The event that nobody waited for last time. If nobody waits for it the next time either, after everything that can run has run, the replay is stuck. */
  #stuckAt = -1;
  /** Set once the run differs from the recorded one. From then on the recording hands out nothing. */
  #failure: Error | undefined;

  constructor(events: readonly BatonEvent[], clock: Clock, follower: Follower) {
    this.#events = events;
    this.#clock = clock;
    this.#follower = follower;
  }

  /** Whether it is the past of another run, up to where a fork begins: what was under way there is that run's own. */
  isBorrowed(): boolean {
    const last = this.#events.at(-1);
    return last?.type === "run.continued" && last.data.why === "forked";
  }

  /** Whether something is left to hand out. */
  isLeft(): boolean {
    return this.#next < this.#events.length || this.#failure !== undefined;
  }

  /** Whether the next recorded event is this one. */
  isNext(place: EventPlace, type: EventType): boolean {
    const event = this.#events[this.#next];
    return event?.type === type && event.path === place.path;
  }

  /** Whether such an event is recorded, wherever. */
  has(path: string, type: EventType): boolean {
    this.#keys ??= new Set(this.#events.map((event) => `${event.type} ${event.path}`));
    return this.#keys.has(`${type} ${path}`);
  }

  /**
   * How often something with this intent was begun before. What must not happen twice is begun once for each intent; all else is
   * begun again, without another intent, each time the run is recovered.
   */
  countBegun(path: string, type: EventType, isOncePerIntent: boolean): number {
    if (!this.has(path, type)) return 0;
    const isIntent = (event: BatonEvent) => event.type === type && event.path === path;
    if (isOncePerIntent) return this.#events.filter(isIntent).length;
    const since = this.#events.slice(this.#events.findLastIndex(isIntent));
    return since.filter((event) => event.type === "run.continued" && event.data.why === "recovered").length;
  }

  /** The next recorded event, which must be this one. */
  match(place: EventPlace, type: EventType): BatonEvent {
    const event = this.#events[this.#next];
    if (this.#failure !== undefined || event === undefined || event.type !== type || event.path !== place.path) {
      const error = this.#failure ?? new Divergence(event, { type, path: place.path });
      // The caller's error may be swallowed by code that gave up on the caller, so every waiter gets it too.
      this.#failWaiting(error);
      throw error;
    }
    this.#advance(event);
    this.#release();
    return event;
  }

  /** Waits for the recorded result at `path`. */
  wait(path: string, waiter: Waiter): void {
    if (this.#failure !== undefined) {
      waiter.onStuck(this.#failure);
      return;
    }
    this.#waiting ??= new Map();
    this.#waiting.set(path, waiter);
    this.#release();
  }

  /** Stops waiting at `path`. */
  forget(path: string): void {
    this.#waiting?.delete(path);
  }

  /** Hands out the next result after everything that can run has run. */
  #release(): void {
    if (this.#isDeferred || !this.#waiting?.size || this.#failure !== undefined) return;
    this.#isDeferred = true;
    this.#clock.defer(() => {
      this.#isDeferred = false;
      if (this.#failure !== undefined) return;
      if (this.#next < this.#events.length) this.#giveOutNext();
      else this.#endWaiting();
    });
  }

  /** Hands the next result to its waiter. If nobody waits for it, the run has not reached it yet. */
  #giveOutNext(): void {
    const event = this.#events[this.#next];
    if (event === undefined) return;
    const waiter = this.#waiting?.get(event.path);
    if (waiter === undefined || !isFor(waiter, event, this.#events[this.#next - 1])) {
      if (this.#stuckAt === this.#next) this.#failWaiting(new Divergence(event));
      else {
        this.#stuckAt = this.#next;
        this.#release();
      }
      return;
    }
    this.#waiting?.delete(event.path);
    this.#advance(event);
    try {
      waiter.onResult(event);
    } catch (error) {
      // No caller could catch it here. `match`, which throws it, has failed all waiters already.
      if (!(error instanceof Divergence)) throw error;
    }
    this.#release();
  }

  /** That the run was queued, or that somebody else continued it, follows from nothing that it did, and nobody waits for it. */
  #advance(event: BatonEvent): void {
    this.#next++;
    this.#follower.advanced(event);
    const following = this.#events[this.#next];
    if (following?.type === "run.continued" || following?.type === "run.queued") this.#advance(following);
  }

  #failWaiting(error: Error): void {
    this.#failure = error;
    const left = [...(this.#waiting?.values() ?? [])];
    this.#waiting?.clear();
    for (const waiter of left) waiter.onStuck(error);
  }

  #endWaiting(): void {
    // A waiter that hears of the end may remove other waiters.
    for (const [path, waiter] of [...(this.#waiting ?? [])]) if (this.#waiting?.delete(path)) waiter.onEnd();
  }
}

/** A paused run waits for its answer, or is cancelled. */
function isFor({ type }: Waiter, event: BatonEvent, before: BatonEvent | undefined): boolean {
  if (before?.type === "run.paused" && event.type !== "run.resumed" && event.type !== "run.cancelling") return false;
  return type === undefined ? results.has(event.type) : type === event.type;
}
