import type { BatonEvent, EventData, EventOf, EventPlace, EventType, Paused, ResumeAnswer } from "../events.ts";
import type { RunId } from "../ids.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { ask } from "./ask.ts";
import { createRunCore, type RunCore, type RunOptions } from "./run-core.ts";
import { Scope, ScopeClosed } from "./scope.ts";
import { type Effect, holdStep, type ResultEvent, takeStep } from "./step.ts";

/** One run in progress: the only way to the journal, the clock and the world. */
export interface Run {
  readonly id: RunId;
  /** Takes secrets out of what enters the run; undefined where the crew wants them left in. */
  readonly redactor: Redactor | undefined;
  readonly scope: Scope;
  emit<Type extends EventType>(place: EventPlace, type: Type, data: EventData[Type]): EventOf<Type>;
  /** For what is shown and not kept. */
  show<Type extends "text.delta" | "reasoning.delta">(place: EventPlace, type: Type, data: EventData[Type]): void;
  /**
   * Records what is seen outside just now, if there is something new. Going over recorded ground it is what was recorded here,
   * and nothing is looked at.
   */
  observe<Type extends EventType>(
    place: EventPlace,
    type: Type,
    look: () => EventData[Type] | undefined,
  ): EventData[Type] | undefined;
  /** When the newest event happened. */
  now(): number;
  /** Whether the run goes over what is recorded. */
  isGoingOver(): boolean;
  /** Whether an event was in the journal when the run began. */
  isRecorded(event: Pick<BatonEvent, "seq">): boolean;
  step<Value>(effect: Effect<Value>): Promise<ResultEvent> | ResultEvent;
  /** Asks a human or program. Without a recorded answer the run is paused: RunPaused is thrown to whoever started it. */
  ask(place: EventPlace, scope: Scope, question: Paused): Promise<ResumeAnswer>;
  /** Ends everything that is under way, on record. */
  cancel(reason: string): void;
  /** Calls back when `ms` of the run's own time, pauses not counted, have passed in the scope; returns what calls it off. */
  deadline(place: EventPlace, scope: Scope, ms: number, what: string, onPassed: () => void): () => void;
  /** Waits so long of the run's own time; what follows a wait that is on record does not wait again. */
  wait(place: EventPlace, scope: Scope, ms: number, what: string): Promise<void>;
  /** Told when several things begin to go on at once; returns what says that they are one again. */
  branch(): () => void;
  /** How often something of this name was counted, this time included. */
  count(name: string): number;
  /** Takes back that something was counted. */
  uncount(name: string): void;
  /** Model calls that failed in a row, anywhere in the run. */
  failuresInARow: number;
  /** Of all model calls so far whose price is known. */
  costUsd: number;
}

export function createRun(options: RunOptions): Run {
  const core = createRunCore(options);
  const scope = new Scope();
  const counts = new Map<string, number>();
  const cancel = watchForCancelling(core, scope);
  return {
    id: options.id,
    redactor: options.redactor,
    scope,
    failuresInARow: 0,
    costUsd: 0,
    emit: core.emit,
    show: core.show,
    now: core.stopwatch.now,
    isGoingOver: core.recording.isLeft,
    isRecorded: ({ seq = 0 }) => seq < options.recorded.length,
    observe(place, type, look) {
      const { recording } = core;
      // An event that is matched has the type that was asked for.
      if (recording.isLeft())
        return recording.isNext(place, type) ? (recording.match(place, type) as EventOf<typeof type>).data : undefined;
      const seen = look();
      return seen === undefined ? undefined : core.emit(place, type, seen).data;
    },
    step(effect) {
      const { recording, clock, delivery } = core;
      if (recording.isLeft()) {
        const isNext = recording.isNext(effect.place, effect.intent.type);
        return isNext ? takeStep(core, effect) : holdStep(core, effect, () => this.step(effect));
      }
      // A paused run goes on over its journal again, with an answer in it.
      if (core.isOver()) return new Promise(() => {});
      if (!options.isStopping() && !options.isAborted()) return takeStep(core, effect);
      return new Promise((_, reject) => {
        effect.scope.add({ close: (reason) => reject(new ScopeClosed(reason)) });
        if (options.isAborted()) clock.defer(() => cancel("cancelled"));
        // What is under way elsewhere may finish; then all of it ends.
        else delivery.whenIdle(() => cancel("stopped"));
      });
    },
    ask: (place, within, question) => ask(core, place, within, question),
    cancel,
    deadline: (place, within, ms, what, onPassed) => setDeadline(core, place, within, ms, what, onPassed),
    wait: (place, within, ms, what) => waitFor(core, place, within, ms, what),
    branch: core.delivery.branch,
    count(name) {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return count;
    },
    uncount: (name) => void counts.set(name, (counts.get(name) ?? 1) - 1),
  };
}

/** Gives what cancels the run; going over recorded ground, it is cancelled where it was. */
function watchForCancelling(core: RunCore, scope: Scope): (reason: string) => void {
  const place = { path: "cancel" };
  // Nothing but that is recorded at this place.
  const onResult = (event: BatonEvent) => scope.close((event.data as EventData["run.cancelling"]).reason);
  let wanted: string | undefined;
  const close = (reason: string) => {
    core.emit(place, "run.cancelling", { reason });
    scope.close(reason);
  };
  const cancel = (reason: string) =>
    core.delivery.now(() => {
      // What is asked for while the run is gone over again is done when that is.
      if (core.recording.isLeft()) wanted = reason;
      else if (!scope.isClosed && !core.isOver()) close(reason);
    });
  const onEnd = () => {
    // A run that is paused can be cancelled, too.
    if (wanted !== undefined && (!core.isOver() || core.stopwatch.isPaused())) close(wanted);
  };
  if (core.recording.isLeft()) core.recording.wait(place.path, { onResult, onEnd, onStuck: () => {} });
  return cancel;
}

/** Going over recorded ground, a deadline passes where it passed; what is left of it then starts to run. */
function setDeadline(
  core: RunCore,
  place: EventPlace,
  within: Scope,
  ms: number,
  what: string,
  onPassed: () => void,
  onStuck: (error: Error) => void = () => undefined,
): () => void {
  const { clock, recording, stopwatch, delivery } = core;
  const at = { ...place, path: `${place.path}/deadline` };
  const due = stopwatch.ms() + ms;
  let isOff = false;
  let stopTimer = () => recording.forget(at.path);
  const callOff = () => {
    isOff = true;
    stopTimer();
  };
  const closable = { close: callOff, dispose: callOff };
  const pass = () => {
    within.remove(closable);
    onPassed();
  };
  const onTime = () => {
    if (isOff || within.isClosed || core.isOver()) return;
    core.emit(at, "deadline.passed", { what, afterMs: ms });
    pass();
  };
  const start = () => {
    stopTimer = clock.after(Math.max(0, due - stopwatch.ms()), () => delivery.now(onTime));
  };
  // In a scope that is closed already, nothing is waited for.
  within.add(closable);
  if (isOff) return callOff;
  if (recording.isLeft()) recording.wait(at.path, { onResult: pass, onEnd: start, onStuck });
  else start();
  return () => {
    within.remove(closable);
    callOff();
  };
}

function waitFor(core: RunCore, place: EventPlace, within: Scope, ms: number, what: string): Promise<void> {
  if (within.isClosed) return Promise.reject(new ScopeClosed(within.reason));
  return new Promise((resolve, reject) => {
    const closable = { close: (reason: string) => reject(new ScopeClosed(reason)) };
    const onPassed = () => {
      within.remove(closable);
      resolve();
    };
    within.add(closable);
    setDeadline(core, place, within, ms, what, onPassed, reject);
  });
}
