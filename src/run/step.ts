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

/** Takes the recorded result of an effect, or has the effect and records its result: at once, where that is possible. */
export function takeStep<Value>(core: RunCore, effect: Effect<Value>): Promise<ResultEvent> | ResultEvent {
  const { place, scope } = effect;
  if (scope.isClosed) return Promise.reject(new ScopeClosed(scope.reason));
  core.emit(place, effect.intent.type, effect.intent.data);
  if (scope.isClosed) {
    record(core, effect, effect.cancelled(scope.reason));
    return Promise.reject(new ScopeClosed(scope.reason));
  }
  return core.recording.isLeft() ? recall(core, effect) : perform(core, effect);
}

/** Waits until the journal gives the result; where it ends before that, the effect was under way and is had again. */
function recall<Value>(core: RunCore, effect: Effect<Value>): Promise<ResultEvent> {
  const { place, scope } = effect;
  return new Promise((resolve, reject) => {
    const closable = {
      close(reason: string) {
        core.recording.forget(place.path);
        record(core, effect, effect.cancelled(reason));
        reject(new ScopeClosed(reason));
      },
    };
    scope.add(closable);
    core.recording.wait(place.path, {
      onResult: (event) => {
        scope.remove(closable);
        // Only the results of effects are waited for at an effect's place.
        resolve(event as ResultEvent);
      },
      onEnd: () => {
        scope.remove(closable);
        resolve(perform(core, effect));
      },
      onStuck: reject,
    });
  });
}

function perform<Value>(core: RunCore, effect: Effect<Value>): Promise<ResultEvent> | ResultEvent {
  const abort = new EffectAbort();
  const acted = begin(effect, abort);
  if (acted instanceof Promise) {
    return settle(core, effect, abort, (letIn) => {
      acted.then(
        (value) => letIn(read(effect, value)),
        (error: unknown) => letIn(effect.failed(error)),
      );
    });
  }
  const result = read(effect, acted);
  return core.delivery.isAlone() ? record(core, effect, result) : settle(core, effect, abort, (letIn) => letIn(result));
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

/** Lets the result in when its turn has come, unless time is up or the scope is closed before that. */
function settle<Value>(
  core: RunCore,
  effect: Effect<Value>,
  abort: EffectAbort,
  start: (letIn: (result: EffectResult) => void) => void,
): Promise<ResultEvent> {
  const { scope, timeoutMs } = effect;
  const { delivery } = core;
  return new Promise((resolve, reject) => {
    let isSettled = false;
    let stopTimer: (() => void) | undefined;
    const end = (result: EffectResult): ResultEvent => {
      isSettled = true;
      delivery.finished();
      stopTimer?.();
      scope.remove(closable);
      return record(core, effect, result);
    };
    const closable = {
      close(reason: string) {
        if (isSettled) return;
        end(effect.cancelled(reason));
        const closed = new ScopeClosed(reason);
        abort.abort(closed);
        reject(closed);
      },
    };
    // What comes after the scope was closed, or time was up, is too late: how the effect ended is on record.
    const letIn = (result: EffectResult) =>
      delivery.now(() => {
        if (!isSettled) resolve(end(result));
      });
    delivery.started();
    scope.add(closable);
    if (timeoutMs !== undefined) {
      stopTimer = core.clock.after(timeoutMs, () => {
        letIn(effect.late());
        abort.abort(new Error("timeout"));
      });
    }
    start(letIn);
  });
}

function record<Value>(core: RunCore, { place }: Effect<Value>, { type, data }: EffectResult): ResultEvent {
  // The type and data of one result belong together.
  return core.emit(place, type, data) as ResultEvent;
}
