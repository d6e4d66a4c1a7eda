import type { EventData, EventOf, EventPlace } from "../vocabulary/events.ts";
import type { Paused, ResumeAnswer } from "../vocabulary/pause.ts";
import type { Scope } from "./scope.ts";

type ResultType =
  | "model.completed"
  | "model.failed"
  | "tool.completed"
  | "tool.failed"
  | "function.completed"
  | "function.failed"
  | "external.delivered";

/** The outcome of an effect: the type and data of the event that records it. */
export type EffectResult = {
  [Type in ResultType]: { readonly type: Type; readonly data: EventData[Type] };
}[ResultType];

export type ResultEvent = { [Type in ResultType]: EventOf<Type> }[ResultType];

/** An effect on the world: recorded before it is tried and after it is done, and done once however often the run is replayed. */
export interface Effect<Value> {
  readonly place: EventPlace;
  readonly scope: Scope;
  readonly intent:
    | { readonly type: "model.called"; readonly data: EventData["model.called"] }
    | { readonly type: "tool.called"; readonly data: EventData["tool.called"] }
    | { readonly type: "function.called"; readonly data: EventData["function.called"] }
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
  /** What is recorded where a process died while it was under way; undefined where it is simply had again. */
  lost?(): EffectResult;
  /** For what must not be had twice: asked where a process died while it was under way. */
  readonly ambiguity?: Ambiguity | undefined;
}

/** Whether something happened that nobody saw the end of. */
export interface Ambiguity {
  readonly question: Paused;
  /** Its outcome; undefined where it did not happen yet. */
  resultOf(answer: ResumeAnswer): EffectResult | undefined;
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
