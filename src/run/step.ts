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
export interface Effect {
  readonly place: EventPlace;
  readonly scope: Scope;
  readonly intent:
    | { readonly type: "model.called"; readonly data: EventData["model.called"] }
    | { readonly type: "tool.called"; readonly data: EventData["tool.called"] }
    | { readonly type: "external.emitted"; readonly data: EventData["external.emitted"] };
  act(signal: () => AbortSignal): Promise<EffectResult> | EffectResult;
  /** What is recorded if the scope is closed before the effect is done. */
  cancelled(reason: string): EffectResult;
}

/** Takes the recorded result of an effect, or has the effect and records its result. */
export function takeStep(core: RunCore, effect: Effect): Promise<ResultEvent> {
  const { place, scope } = effect;
  if (scope.isClosed) return Promise.reject(new ScopeClosed(scope.reason));
  core.emit(place, effect.intent.type, effect.intent.data);
  return afterIntent(core, effect);
}

/** Holds an effect that the journal does not have here: the run was being stopped. It comes later there, or never. */
export function holdStep(core: RunCore, effect: Effect, onEnd: () => Promise<ResultEvent>): Promise<ResultEvent> {
  const { place, scope, intent } = effect;
  if (scope.isClosed) return Promise.reject(new ScopeClosed(scope.reason));
  return new Promise((resolve, reject) => {
    const closable = {
      close(reason: string) {
        core.recording.forget(place.path);
        reject(new ScopeClosed(reason));
      },
    };
    const goOn = (step: () => Promise<ResultEvent>) => () => {
      scope.remove(closable);
      step().then(resolve, reject);
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

function afterIntent(core: RunCore, effect: Effect): Promise<ResultEvent> {
  const { scope } = effect;
  if (scope.isClosed) {
    record(core, effect, effect.cancelled(scope.reason));
    return Promise.reject(new ScopeClosed(scope.reason));
  }
  return core.recording.isLeft ? recall(core, effect) : perform(core, effect);
}

/** Waits until the journal gives the result; where it ends before that, the effect was under way and is had again. */
function recall(core: RunCore, effect: Effect): Promise<ResultEvent> {
  const { place, scope } = effect;
  return new Promise((resolve, reject) => {
    const closable = {
      close(reason: string) {
        core.recording.forget(place.path);
        reject(new ScopeClosed(reason));
        record(core, effect, effect.cancelled(reason));
      },
    };
    scope.add(closable);
    core.recording.wait(place.path, {
      onResult: (event) => {
        scope.remove(closable);
        // Only the results of effects are waited for at an effect's place.
        resolve(event as ResultEvent);
      },
      // In a run that is paused nothing is under way.
      onEnd: () => void (core.isOver() || perform(core, effect, closable).then(resolve, reject)),
      onStuck: reject,
    });
  });
}

/** What waited for the result keeps its place in the scope, so that closing it ends things in the same order again. */
function perform(core: RunCore, effect: Effect, closable = { close(_: string) {} }): Promise<ResultEvent> {
  const { scope } = effect;
  return new Promise((resolve, reject) => {
    let isSettled = false;
    const settle = (result: EffectResult): ResultEvent => {
      isSettled = true;
      core.delivery.finished();
      scope.remove(closable);
      return record(core, effect, result);
    };
    closable.close = (reason) => {
      if (isSettled) return;
      settle(effect.cancelled(reason));
      reject(new ScopeClosed(reason));
    };
    core.delivery.started();
    scope.add(closable);
    const onResult = (result: EffectResult) =>
      core.delivery.now(() => {
        // What comes after the scope was closed is too late: how the effect ended is on record.
        if (!isSettled) resolve(settle(result));
      });
    const onThrown = (error: unknown) => {
      // Effects turn failures into results: this one is ours. Nobody must wait for it any longer.
      if (!isSettled) core.delivery.finished();
      isSettled = true;
      scope.remove(closable);
      reject(error);
    };
    const result = effect.act(() => scope.signal);
    if (result instanceof Promise) result.then(onResult, onThrown);
    else onResult(result);
  });
}

function record(core: RunCore, { place }: Effect, { type, data }: EffectResult): ResultEvent {
  // The type and data of one result belong together.
  return core.emit(place, type, data) as ResultEvent;
}
