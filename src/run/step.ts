import { isPromise } from "../vocabulary/promise.ts";
import { ask } from "./ask.ts";
import type { Wait } from "./clock.ts";
import { type Ambiguity, type Effect, EffectAbort, type EffectResult, type ResultEvent } from "./effect.ts";
import type { RunCore } from "./run-core.ts";
import { ScopeClosed } from "./scope.ts";

type Step = Promise<ResultEvent> | ResultEvent;

/** Takes the recorded result of an effect, or has the effect and records its result: at once, where that is possible. */
export function takeStep<Value>(core: RunCore, effect: Effect<Value>): Step {
  const { place, scope, intent } = effect;
  if (scope.isClosed) return Promise.reject(new ScopeClosed(scope.reason));
  const isRecorded = core.recording.isLeft();
  // An intent follows at once from what happened last.
  core.emit(place, intent.type, intent.data, core.stopwatch.now());
  return afterIntent(core, effect, isRecorded);
}

/** Holds an effect that the journal does not have here: the run was being stopped. It comes later there, or never. */
export function holdStep<Value>(core: RunCore, effect: Effect<Value>, onEnd: () => Step): Promise<ResultEvent> {
  const { place, scope, intent } = effect;
  if (scope.isClosed) return Promise.reject(new ScopeClosed(scope.reason));
  return new Promise((resolve, reject) => {
    const closable = {
      close(reason: string) {
        core.recording.forget(place.path);
        reject(new ScopeClosed(reason));
      },
    };
    const goOn = (step: () => Step) => () => {
      scope.remove(closable);
      resolve(step());
    };
    scope.add(closable);
    core.recording.wait(place.path, {
      type: intent.type,
      onResult: goOn(() => afterIntent(core, effect, true)),
      onEnd: goOn(onEnd),
      onStuck: reject,
    });
  });
}

function afterIntent<Value>(core: RunCore, effect: Effect<Value>, isRecorded: boolean): Step {
  const { scope } = effect;
  if (scope.isClosed) {
    record(core, effect, effect.cancelled(scope.reason));
    return Promise.reject(new ScopeClosed(scope.reason));
  }
  if (isRecorded) return new PendingEffect(core, effect).recall(0);
  const ready = readyFor(core, effect);
  if (ready !== undefined) return new PendingEffect(core, effect).actAfter(ready);
  const abort = new EffectAbort();
  const acted = begin(effect, abort);
  if (isPromise(acted) || !core.delivery.isAlone()) return new PendingEffect(core, effect).await(acted, abort);
  return record(core, effect, read(effect, acted));
}

/** Done when an effect may be had: it is on record and, if it must not be had twice, nobody else has taken the run. */
function readyFor<Value>(core: RunCore, { ambiguity }: Effect<Value>): Promise<void> | undefined {
  const durable = core.durable();
  if (ambiguity === undefined) return durable;
  return durable === undefined ? core.confirmLease() : durable.then(() => core.confirmLease());
}

const ignore = () => {};

/** An effect that is waited for, and closed with its scope: the journal is to give its result, or the world. */
class PendingEffect<Value> {
  readonly #core: RunCore;
  readonly #effect: Effect<Value>;
  readonly #result: Promise<ResultEvent>;
  #resolve: (event: ResultEvent) => void = ignore;
  #reject: (error: Error) => void = ignore;
  #abort: EffectAbort | undefined;
  #wait: Wait | undefined;
  #isSettled = false;

  constructor(core: RunCore, effect: Effect<Value>) {
    this.#core = core;
    this.#effect = effect;
    this.#result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    effect.scope.add(this);
  }

  /** Waits until the journal gives the result; where it ends before that, the effect was under way and is had again. */
  recall(questions: number): Promise<ResultEvent> {
    const { recording } = this.#core;
    const { place, scope, ambiguity } = this.#effect;
    if (ambiguity !== undefined && recording.has(`${place.path}/happened${questions}`, "run.paused"))
      return this.#askWhetherItHappened(ambiguity, questions);
    recording.wait(place.path, {
      onResult: (event) => {
        scope.remove(this);
        // Only the results of effects are waited for at an effect's place.
        this.#resolve(event as ResultEvent);
      },
      onEnd: () => {
        // In a run that is paused nothing is under way; one that is released begins nothing.
        if (this.#core.isOver() || this.#core.isReleasing) return;
        // It keeps its place in the scope, so that closing that ends things in the same order again.
        if (ambiguity !== undefined) void this.#askWhetherItHappened(ambiguity, questions);
        else if (this.#effect.lost !== undefined && !recording.isBorrowed()) this.#letIn(this.#effect.lost());
        else void this.#actAgain();
      },
      onStuck: this.#reject,
    });
    return this.#result;
  }

  #askWhetherItHappened(ambiguity: Ambiguity, questions: number): Promise<ResultEvent> {
    const { place, scope } = this.#effect;
    const at = { ...place, path: `${place.path}/happened${questions}` };
    ask(this.#core, at, scope, ambiguity.question).then((answer) => {
      const result = ambiguity.resultOf(answer);
      if (result === undefined) this.#callAnew(questions + 1);
      else this.#take(result);
    }, this.#reject);
    return this.#result;
  }

  /** It did not happen, so it is called now. The call is journalled first, so that another crash asks again. */
  #callAnew(questions: number): void {
    const { place, intent } = this.#effect;
    const { recording } = this.#core;
    const isRecorded = recording.isLeft();
    // Journals of earlier versions have no second intent; a run that is cancelled here has none either.
    const hasIntent = isRecorded ? recording.isNext(place, intent.type) : !this.#core.isAborted();
    if (hasIntent) this.#core.emit(place, intent.type, intent.data);
    if (isRecorded) void this.recall(questions);
    else if (hasIntent) void this.actAfter(readyFor(this.#core, this.#effect) ?? Promise.resolve());
  }

  /** Nothing is done before it is on record that it is going to be. */
  actAfter(ready: Promise<void>): Promise<ResultEvent> {
    const abort = this.#start(new EffectAbort());
    ready.then(
      () => {
        if (!this.#isSettled) this.#follow(begin(this.#effect, abort));
      },
      (error: Error) => {
        // Without a journal, or the right to write to it, the run cannot go on, nor say so.
        this.#isSettled = true;
        this.#core.delivery.finished();
        this.#effect.scope.remove(this);
        this.#reject(error);
      },
    );
    return this.#result;
  }

  /** Lets the result of what is being done in when its turn has come, unless time is up or the scope is closed before that. */
  await(acted: Promise<Value> | Value, abort: EffectAbort): Promise<ResultEvent> {
    this.#start(abort);
    this.#follow(acted);
    return this.#result;
  }

  /** That the run continues is on record first, so that each attempt can be told from the one before. */
  #actAgain(): Promise<ResultEvent> {
    const durable = this.#core.durable();
    if (durable !== undefined) return this.actAfter(durable);
    const abort = new EffectAbort();
    return this.await(begin(this.#effect, abort), abort);
  }

  #start(abort: EffectAbort): EffectAbort {
    this.#abort = abort;
    this.#core.delivery.started();
    return abort;
  }

  #follow(acted: Promise<Value> | Value): void {
    const { timeoutMs } = this.#effect;
    if (timeoutMs !== undefined) this.#wait = this.#core.clock.after(timeoutMs, () => this.#giveUp());
    if (isPromise(acted)) {
      acted.then(
        (value) => this.#letIn(read(this.#effect, value)),
        (error: unknown) => this.#letIn(this.#effect.failed(error)),
      );
    } else this.#letIn(read(this.#effect, acted));
  }

  close(reason: string): void {
    const closed = new ScopeClosed(reason);
    if (this.#isSettled) return;
    if (this.#abort === undefined) this.#core.recording.forget(this.#effect.place.path);
    this.#reject(closed);
    this.#abort?.abort(closed);
    this.#end(this.#effect.cancelled(reason));
  }

  /** The run leaves this process, and the effect has no result: whoever takes the run finds that it was under way. */
  dispose(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#wait?.callOff();
    this.#abort?.abort(new Error("the run has left this process"));
  }

  #giveUp(): void {
    this.#letIn(this.#effect.late());
    this.#abort?.abort(new Error("timeout"));
  }

  /** What comes after the scope was closed, or time was up, is too late: how the effect ended is on record. */
  #letIn(result: EffectResult): void {
    const { delivery } = this.#core;
    if (delivery.isAlone()) this.#take(result);
    else delivery.now(() => this.#take(result));
  }

  #take(result: EffectResult): void {
    if (!this.#isSettled) this.#resolve(this.#end(result));
  }

  #end(result: EffectResult): ResultEvent {
    this.#isSettled = true;
    if (this.#abort !== undefined) this.#core.delivery.finished();
    this.#wait?.callOff();
    this.#effect.scope.remove(this);
    return record(this.#core, this.#effect, result);
  }
}

function begin<Value>(effect: Effect<Value>, abort: EffectAbort): Promise<Value> | Value {
  try {
    const acted = effect.act(abort);
    // Promises of other makes are made ours.
    return isThenable(acted) ? Promise.resolve(acted) : acted;
  } catch (error) {
    return Promise.reject(error);
  }
}

function isThenable(value: unknown): value is PromiseLike<never> {
  return typeof value === "object" && value !== null && "then" in value && !isPromise(value);
}

/** What makes no sense is a failure of whoever gave it. */
function read<Value>(effect: Effect<Value>, value: Value): EffectResult {
  try {
    return effect.completed(value);
  } catch (error) {
    return effect.failed(error);
  }
}

function record<Value>(core: RunCore, { place }: Effect<Value>, { type, data }: EffectResult): ResultEvent {
  // The type and data of one result belong together.
  return core.emit(place, type, data) as ResultEvent;
}
