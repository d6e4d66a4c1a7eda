import type { EventPlace } from "../vocabulary/events.ts";
import type { Wait } from "./clock.ts";
import type { RunCore } from "./run-core.ts";
import { type Scope, ScopeClosed } from "./scope.ts";

/** So long of the run's own time, in a scope. */
export interface Limit {
  readonly place: EventPlace;
  readonly scope: Scope;
  readonly ms: number;
  /** What may take no longer. */
  readonly what: string;
}

/**
 * A limit of time that can be called off. In a replay it passes where it passed; what is left of it then starts to
 * run. A class, since every run and every call of a crew has one.
 */
export class Deadline {
  readonly #core: RunCore;
  readonly #limit: Limit;
  readonly #path: string;
  readonly #due: number;
  readonly #onPassed: () => void;
  #wait: Wait | undefined;
  #isOff = false;

  constructor(core: RunCore, limit: Limit, onPassed: () => void, onStuck: (error: Error) => void = ignore) {
    const { recording, stopwatch } = core;
    this.#core = core;
    this.#limit = limit;
    this.#path = `${limit.place.path}/deadline`;
    this.#due = stopwatch.ms() + limit.ms;
    this.#onPassed = onPassed;
    // In a scope that is closed already, nothing is waited for.
    limit.scope.add(this);
    if (this.#isOff) return;
    if (recording.isLeft())
      recording.wait(this.#path, { onResult: () => this.#pass(), onEnd: () => this.#start(), onStuck });
    else this.#start();
  }

  callOff(): void {
    this.#limit.scope.remove(this);
    this.close();
  }

  close(): void {
    this.#isOff = true;
    if (this.#wait === undefined) this.#core.recording.forget(this.#path);
    else this.#wait.callOff();
  }

  dispose(): void {
    this.close();
  }

  #start(): void {
    const { clock, stopwatch, delivery } = this.#core;
    const left = Math.max(0, this.#due - stopwatch.ms());
    this.#wait = clock.after(left, () => delivery.now(() => this.#onTime()));
  }

  #onTime(): void {
    const { place, scope, ms: afterMs, what } = this.#limit;
    if (this.#isOff || scope.isClosed || this.#core.isOver()) return;
    this.#core.emit({ ...place, path: this.#path }, "deadline.passed", { what, afterMs });
    this.#pass();
  }

  #pass(): void {
    this.#limit.scope.remove(this);
    this.#onPassed();
  }
}

const ignore = () => {};

/** Waits so long; what follows a wait that is on record does not wait again. */
export function waitFor(core: RunCore, limit: Limit): Promise<void> {
  const { scope } = limit;
  if (scope.isClosed) return Promise.reject(new ScopeClosed(scope.reason));
  return new Promise((resolve, reject) => {
    const closable = { close: (reason: string) => reject(new ScopeClosed(reason)) };
    const onPassed = () => {
      scope.remove(closable);
      resolve();
    };
    scope.add(closable);
    new Deadline(core, limit, onPassed, reject);
  });
}
