import type { BatonEvent, EventPlace, EventType } from "../events.ts";

/** What the journal holds when a run begins, handed out again in the same order as the run goes over the same ground. */
export interface Recording {
  /** Whether something is left to hand out. */
  isLeft(): boolean;
  /** Whether the next recorded event is this one. */
  isNext(place: EventPlace, type: EventType): boolean;
  /** Whether such an event is recorded, wherever. */
  has(path: string, type: EventType): boolean;
  /** The next recorded event, which must be this one. */
  match(place: EventPlace, type: EventType): BatonEvent;
  /** Waits for the recorded result at `path`. */
  wait(path: string, waiter: Waiter): void;
  /** Stops waiting at `path`. */
  forget(path: string): void;
}

/** A run over a journal did something else than the journal says. */
export class Divergence extends Error {
  readonly expected: BatonEvent | undefined;
  readonly actual: { readonly type: EventType; readonly path: string };

  constructor(expected: BatonEvent | undefined, actual: { readonly type: EventType; readonly path: string }) {
    const was = expected === undefined ? "nothing" : `${expected.type} at ${expected.path || "/"}`;
    super(`the journal has ${was} where the run now gives ${actual.type} at ${actual.path || "/"}`);
    this.name = "Divergence";
    this.expected = expected;
    this.actual = actual;
  }
}

/** Events that come from outside the run's own logic, or wait for it to be idle: they are released, all else follows from them. */
const results: ReadonlySet<EventType> = new Set([
  "model.completed",
  "model.failed",
  "tool.completed",
  "tool.failed",
  "run.paused",
  "run.resumed",
  "run.cancelling",
  "external.delivered",
  "deadline.passed",
]);

interface Waiter {
  /** What is waited for, where that is no result. */
  readonly type?: EventType;
  readonly onResult: (event: BatonEvent) => void;
  /** The recording ended before the result came. */
  readonly onEnd: () => void;
  /** The run does not come to what is recorded next: it is not the run that was recorded. */
  readonly onStuck: (error: Error) => void;
}

/** `defer` calls back when everything that can go on has done so: only then is the next result given out. */
export function createRecording(
  events: readonly BatonEvent[],
  defer: (callback: () => void) => void,
  advanced: (event: BatonEvent) => void,
): Recording {
  const waiting = new Map<string, Waiter>();
  let next = 0;
  let isDeferred = false;
  /** Where nothing could be given out: if that is so twice, with all that can go on done in between, nothing will change it. */
  let stuckAt = -1;
  /** Once the run is not the one that was recorded, nothing of it is believed any more, and nothing done. */
  let failure: Error | undefined;

  const release = (): void => {
    if (isDeferred || waiting.size === 0 || failure !== undefined) return;
    isDeferred = true;
    defer(() => {
      isDeferred = false;
      if (failure !== undefined) return;
      if (next < events.length) giveOutNext();
      else endWaiting();
    });
  };
  /** One result, to whoever waits for it; where nobody does, the run has still to come there. */
  const giveOutNext = (): void => {
    const event = events[next];
    if (event === undefined) return;
    const waiter = waiting.get(event.path);
    if (waiter === undefined || !isFor(waiter, event, events[next - 1])) {
      const where = `${event.type} at ${event.path || "/"}`;
      if (stuckAt === next) failWaiting(new Error(`the journal goes on with ${where}, to which the run does not come`));
      else {
        stuckAt = next;
        release();
      }
      return;
    }
    waiting.delete(event.path);
    next++;
    advanced(event);
    try {
      waiter.onResult(event);
    } catch (error) {
      // Nobody is above us who could be told: those who wait are.
      if (!(error instanceof Divergence)) throw error;
      failWaiting(error);
    }
    release();
  };
  const failWaiting = (error: Error): void => {
    failure = error;
    const left = [...waiting.values()];
    waiting.clear();
    for (const waiter of left) waiter.onStuck(error);
  };
  const endWaiting = (): void => {
    // One that is told may make others stop waiting.
    for (const [path, waiter] of [...waiting]) if (waiting.delete(path)) waiter.onEnd();
  };

  return {
    isLeft: () => next < events.length || failure !== undefined,
    has: lookUp(events),
    isNext: (place, type) => events[next]?.type === type && events[next]?.path === place.path,
    match(place, type) {
      const event = events[next];
      if (failure !== undefined || event === undefined || event.type !== type || event.path !== place.path) {
        failure ??= new Divergence(event, { type, path: place.path });
        throw failure;
      }
      next++;
      advanced(event);
      release();
      return event;
    },
    wait(path, waiter) {
      if (failure !== undefined) {
        waiter.onStuck(failure);
        return;
      }
      waiting.set(path, waiter);
      release();
    },
    forget: (path) => void waiting.delete(path),
  };
}

/** What is recorded, indexed when it is first asked for. */
function lookUp(events: readonly BatonEvent[]): Recording["has"] {
  let keys: ReadonlySet<string> | undefined;
  return (path, type) => {
    keys ??= new Set(events.map((event) => `${event.type} ${event.path}`));
    return keys.has(`${type} ${path}`);
  };
}

/** A paused run waits for its answer, or is cancelled. */
function isFor({ type }: Waiter, event: BatonEvent, before: BatonEvent | undefined): boolean {
  if (before?.type === "run.paused" && event.type !== "run.resumed" && event.type !== "run.cancelling") return false;
  return type === undefined ? results.has(event.type) : type === event.type;
}
