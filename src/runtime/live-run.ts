import type { RunLog } from "../run-storage/run-log.ts";
import { buildResult, type RunResult } from "../views/run-result.ts";
import { describeThrown } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { checkRunOptions } from "./check-options.ts";
import type { RunOptions } from "./environment.ts";
import { EventReader } from "./event-reader.ts";
import type { RunControl } from "./run-control.ts";

/** A run that was started or continued here. */
export interface RunHandle<Object = unknown> {
  readonly id: RunId;
  /**
   * The run's events, from the first one that this start or resume adds. Any number of readers may iterate, each gets all stored
   * events, and the deltas from when it began to read.
   */
  readonly events: AsyncIterable<BatonEvent>;
  /**
   * The result when the run ends or pauses. Rejects if the run cannot begin or continue, or its store fails. The function that gave the
   * handle says with which codes.
   */
  readonly result: Promise<RunResult<Object>>;
  /**
   * Cancels the run, and resolves when that is stored. A run that has ended stays as it is. Rejects with a `BatonError` only where the
   * run has paused and cannot be cancelled any more: `run-active`, `run-ended`, `crew-closed` or a `StoreErrorCode`.
   */
  cancel(): Promise<void>;
}

/** The events of a run as they come, and its result. A reader that stops early cancels the run. */
export interface RunStream<Object = unknown> extends AsyncIterable<BatonEvent> {
  readonly id: RunId;
  readonly result: Promise<RunResult<Object>>;
}

/** Does the run's work, from taking its log to its last stored event. */
export type RunWork = (run: LiveRun) => Promise<void>;

/** Told of every event before anybody else. */
export interface EventWatcher {
  tell(event: BatonEvent): void;
}

/** Cancels a paused run by its id. */
export type CancelPaused = (id: RunId) => Promise<unknown>;

/** Finds the object in the output of a run that completed. */
export type ReadObject = (result: RunResult) => unknown;

/** Whoever opened a run. */
export interface RunOwner {
  readonly cancelPaused: CancelPaused;
  readonly readObject: ReadObject;
  /** Throws if no run may begin any more. */
  admit(): void;
  /** Called when the run's work is done, however that ended. */
  ended(run: LiveRun): void;
}

export class LiveRun implements RunHandle {
  readonly id: RunId;
  readonly options: RunOptions;
  readonly control: RunControl;
  readonly #owner: RunOwner;
  readonly #done: Promise<void>;
  #log: RunLog | undefined;
  #watcher: EventWatcher | undefined;
  /** How many events the log had before, and how many were told since. */
  #before = 0;
  #told = 0;
  #readers: Set<EventReader> | undefined;
  #result: Promise<RunResult> | undefined;
  #isOver = false;
  #isObserved = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(id: RunId, options: RunOptions, control: RunControl, work: RunWork, owner: RunOwner) {
    this.id = id;
    this.options = options;
    this.control = control;
    this.#owner = owner;
    this.#done = this.#work(work);
  }

  get events(): AsyncIterable<BatonEvent> {
    return new RunEvents(this, false);
  }

  get result(): Promise<RunResult> {
    this.#isObserved = true;
    this.#result ??= this.#done.then(() => this.#conclude());
    return this.#result;
  }

  async cancel(): Promise<void> {
    this.control.abort();
    await this.#done;
    if (this.#log?.events.at(-1)?.type === "run.paused") await this.#owner.cancelPaused(this.id);
  }

  /** This run's events for one reader, who cancels the run by leaving early. */
  stream(): RunStream {
    return new RunEvents(this, true);
  }

  /** Whether the run can be continued later; `refused` if nothing was done here. */
  get standing(): "refused" | "open" | "ended" {
    const last = this.#log?.events.at(-1)?.type;
    if (last === undefined) return "refused";
    return last === "run.completed" || last === "run.failed" || last === "run.cancelled" ? "ended" : "open";
  }

  /** Resolves when the run's work is done, however that ended. */
  get done(): Promise<void> {
    return this.#done;
  }

  /** Tells of the events that `log` gets from now on. */
  follow(log: RunLog, watcher?: EventWatcher): void {
    this.#log = log;
    this.#watcher = watcher;
    this.#before = log.events.length;
    log.onDurable((event) => this.tell(event));
  }

  /** Tells readers of an event. An error that a callback throws ends the run at its next step; the caller gets that error. */
  tell(event: BatonEvent): void {
    if (event.seq !== undefined) this.#told++;
    this.#watcher?.tell(event);
    if (this.#readers !== undefined) for (const reader of this.#readers) reader.push(event);
    const { onEvent } = this.options;
    if (onEvent === undefined || this.#failure !== undefined) return;
    try {
      // Callbacks may be asynchronous though their type does not say so.
      const told: unknown = onEvent(event);
      if (isThenable(told)) told.then(undefined, (error) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#isOver)
      process.emitWarning(`onEvent failed after the run's result was given: ${describeThrown(error)}`, "Baton");
    this.#failure ??= { error };
    this.control.abortAtNextStep();
  }

  async #work(work: RunWork): Promise<void> {
    try {
      // The caller has the handle before the run does anything, so that all that goes wrong is found in one place: its result.
      await undefined;
      this.#owner.admit();
      checkRunOptions(this.options);
      this.control.listen(this.options);
      await work(this);
    } catch (error) {
      this.#failure = { error };
    }
    this.#isOver = true;
    this.#owner.ended(this);
    this.control.close();
    if (this.#readers !== undefined) for (const reader of this.#readers) reader.end(this.#failure);
    // A reader gets the failure, so the result may stay unread though somebody has asked for it: `const { result } = run`.
    if (this.#readers?.size) this.#result?.catch(() => {});
    this.#readers = undefined;
    // Later, so that a caller who starts several runs has time to look at each.
    if (this.#failure !== undefined) setImmediate(() => this.#warnUnobserved());
  }

  #warnUnobserved(): void {
    if (this.#isObserved) return;
    const message = describeThrown(this.#failure?.error);
    process.emitWarning(`run '${this.id}' failed, and nobody read its result: ${message}`, "Baton");
  }

  #conclude(): RunResult {
    if (this.#failure !== undefined) throw this.#failure.error;
    const result = buildResult(this.#log?.events ?? []);
    if (result.status !== "completed" || result.error !== undefined) return result;
    return { ...result, object: this.#owner.readObject(result) };
  }

  /** A new reader of the events, who may cancel the run by leaving early. */
  read(cancelsByLeaving: boolean): EventReader {
    this.#isObserved = true;
    const told = this.#log?.events.slice(this.#before, this.#before + this.#told) ?? [];
    const reader = new EventReader(told, () => {
      this.#readers?.delete(reader);
      if (cancelsByLeaving) this.control.abort();
    });
    if (this.#isOver) reader.end(this.#failure);
    else {
      this.#readers ??= new Set();
      this.#readers.add(reader);
    }
    return reader;
  }
}

/**
 * What readers iterate over. A class, because V8 allocates an object literal's function under a computed key in the old generation, where
 * it would keep every run alive until a full collection.
 */
class RunEvents implements RunStream {
  readonly #run: LiveRun;
  readonly #cancelsByLeaving: boolean;

  constructor(run: LiveRun, cancelsByLeaving: boolean) {
    this.#run = run;
    this.#cancelsByLeaving = cancelsByLeaving;
  }

  get id(): RunId {
    return this.#run.id;
  }

  get result(): Promise<RunResult> {
    return this.#run.result;
  }

  [Symbol.asyncIterator](): AsyncIterator<BatonEvent, undefined> {
    return this.#run.read(this.#cancelsByLeaving);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
