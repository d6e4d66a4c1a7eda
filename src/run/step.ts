import type { EventData, EventOf, EventPlace } from "../events.ts";
import type { RunCore } from "./run-core.ts";
import { type Scope, ScopeClosed } from "./scope.ts";

type ResultType = "model.completed" | "model.failed" | "tool.completed" | "tool.failed" | "external.delivered";

/** What an effect comes to: the type and data of the event that records it. */
export type EffectResult = {
  [Type in ResultType]: { readonly type: Type; readonly data: EventData[Type] };
}[ResultType];

export type ResultEvent = { [Type in ResultType]: EventOf<Type> }[ResultType];

/** An effect on the world: recorded before it is tried and after it is done, and done once however often the run is gone over. */
export interface Effect<Value> {
  readonly place: EventPlace;
  readonly scope: Scope;
  readonly intent:
    | { readonly type: "model.called"; readonly data: EventData["model.called"] }
    | { readonly type: "tool.called"; readonly data: EventData["tool.called"] }
    | { readonly type: "external.emitted"; readonly data: EventData["external.emitted"] };
  /** It is given up when it takes longer; if it takes no notice of the signal, it is left behind. */
  readonly timeoutMs: number | undefined;
  act(abort: EffectAbort): Promise<Value> | Value;
  completed(value: Value): EffectResult;
  failed(error: unknown): EffectResult;
  /** What is recorded if it takes too long. */
  late(): EffectResult;
  /** What is recorded if the scope is closed before the effect is done. */
  cancelled(reason: string): EffectResult;
}

/** What tells an effect that it is given up. Its signal is made when the effect asks for it. */
export class EffectAbort {
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#controller?.abort(reason);
  }
}

type Step = Promise<ResultEvent> | ResultEvent;

/** Takes the recorded result of an effect, or has the effect and records its result: at once, where that is possible. */
export function takeStep<Value>(core: RunCore, effect: Effect<Value>): Step {
  const { place, scope, intent } = effect;
  if (scope.isClosed) return Promise.reject(new ScopeClosed(scope.reason));
  core.emit(place, intent.type, intent.data);
  return afterIntent(core, effect);
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
      onResult: goOn(() => afterIntent(core, effect)),
      onEnd: goOn(onEnd),
      onStuck: reject,
    });
  });
}

function afterIntent<Value>(core: RunCore, effect: Effect<Value>): Step {
  const { scope } = effect;
  if (scope.isClosed) {
    record(core, effect, effect.cancelled(scope.reason));
    return Promise.reject(new ScopeClosed(scope.reason));
  }
  if (core.recording.isLeft()) return new PendingEffect(core, effect).recall();
  const abort = new EffectAbort();
  const acted = begin(effect, abort);
  if (acted instanceof Promise || !core.delivery.isAlone()) return new PendingEffect(core, effect).settle(acted, abort);
  return record(core, effect, read(effect, acted));
}

/** An effect that is waited for, and closed with its scope: the journal is to give its result, or the world. */
class PendingEffect<Value> {
  readonly #core: RunCore;
  readonly #effect: Effect<Value>;
  readonly #result = Promise.withResolvers<ResultEvent>();
  #abort: EffectAbort | undefined;
  #stopTimer: (() => void) | undefined;
  #isSettled = false;

  constructor(core: RunCore, effect: Effect<Value>) {
    this.#core = core;
    this.#effect = effect;
    effect.scope.add(this);
  }

  /** Waits until the journal gives the result; where it ends before that, the effect was under way and is had again. */
  recall(): Promise<ResultEvent> {
    this.#core.recording.wait(this.#effect.place.path, {
      onResult: (event) => {
        this.#effect.scope.remove(this);
        // Only the results of effects are waited for at an effect's place.
        this.#result.resolve(event as ResultEvent);
      },
      // It keeps its place in the scope, so that closing that ends things in the same order again.
      onEnd: () => {
        // In a run that is paused nothing is under way.
        if (this.#core.isOver()) return;
        const abort = new EffectAbort();
        void this.settle(begin(this.#effect, abort), abort);
      },
      onStuck: this.#result.reject,
    });
    return this.#result.promise;
  }

  /** Lets the result in when its turn has come, unless time is up or the scope is closed before that. */
  settle(acted: Promise<Value> | Value, abort: EffectAbort): Promise<ResultEvent> {
    const { timeoutMs } = this.#effect;
    this.#abort = abort;
    this.#core.delivery.started();
    if (timeoutMs !== undefined) this.#stopTimer = this.#core.clock.after(timeoutMs, () => this.#giveUp());
    if (acted instanceof Promise) {
      acted.then(
        (value) => this.#letIn(read(this.#effect, value)),
        (error: unknown) => this.#letIn(this.#effect.failed(error)),
      );
    } else this.#letIn(read(this.#effect, acted));
    return this.#result.promise;
  }

  close(reason: string): void {
    const closed = new ScopeClosed(reason);
    if (this.#abort === undefined) this.#core.recording.forget(this.#effect.place.path);
    // First of all, since a journal that does not fit makes the rest of it throw.
    this.#result.reject(closed);
    this.#end(this.#effect.cancelled(reason));
    this.#abort?.abort(closed);
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
    if (!this.#isSettled) this.#result.resolve(this.#end(result));
  }

  #end(result: EffectResult): ResultEvent {
    this.#isSettled = true;
    if (this.#abort !== undefined) this.#core.delivery.finished();
    this.#stopTimer?.();
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
  return typeof value === "object" && value !== null && "then" in value && !(value instanceof Promise);
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
