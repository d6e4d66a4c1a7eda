import type { Redactor } from "../redaction/redactor.ts";
import type { BatonEvent, EventData, EventOf, EventPlace, EventType, Failure } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { Paused, PauseTimeout, ResumeAnswer } from "../vocabulary/pause.ts";
import { ask } from "./ask.ts";
import { type Consultation, consult } from "./consult.ts";
import { Deadline, type Limit, waitFor } from "./deadline.ts";
import type { Effect, ResultEvent } from "./effect.ts";
import { absentBlobs, RunAttachments } from "./run-attachments.ts";
import { RunCore, type RunOptions } from "./run-core.ts";
import { noFacts, type RunFacts } from "./run-facts.ts";
import { Scope, ScopeClosed } from "./scope.ts";
import { holdStep, takeStep } from "./step.ts";

/** One run in progress: the only way to the journal, the clock and the world. */
export class Run {
  readonly id: RunId;
  /** Takes secrets out of what enters the run; undefined where the crew wants them left in. */
  readonly redactor: Redactor | undefined;
  /** How often the run has been taken, this time included: what a tool can hand to a service that refuses outdated callers. */
  readonly epoch: number;
  readonly facts: RunFacts;
  readonly attachments: RunAttachments;
  readonly scope = new Scope();
  /** Model calls that failed in a row, anywhere in the run. */
  failuresInARow = 0;
  /** What providers refused to be asked for besides an answer, each with the name of the model. */
  readonly refusers = new Set<string>();
  /** The known part of what all model calls so far have cost, failed ones included: the run has cost at least this much. */
  costUsd = 0;
  /** Why the run has failed as a whole: its time is up, or a pause has ended without an answer. */
  failure: Failure | undefined;
  readonly #options: RunOptions;
  readonly #core: RunCore;
  readonly #counts = new Map<string, { value: number }>();
  /** Why the run is to be cancelled once its replay ends. */
  #cancelling: string | undefined;

  constructor(options: RunOptions) {
    this.id = options.id;
    this.redactor = options.redactor;
    this.epoch = options.lease?.epoch ?? 1;
    this.facts = options.facts ?? noFacts;
    this.attachments = options.attachments ?? new RunAttachments(absentBlobs);
    this.#options = options;
    this.#core = new RunCore(options, this.attachments, (failure) => this.#fail(failure));
    if (options.recorded.length > 0) this.#watchForCancelling();
  }

  /** Makes something happen that follows at once from what happened last, and so at the same time. */
  emit<Type extends EventType>(place: EventPlace, type: Type, data: EventData[Type]): EventOf<Type> {
    return this.#core.emit(place, type, data, this.now());
  }

  /** For what is shown and not stored. */
  show<Type extends "text.delta" | "reasoning.delta">(place: EventPlace, type: Type, data: EventData[Type]): void {
    this.#core.show(place, type, data);
  }

  /**
   * Records what is seen outside just now, if there is something new. In a replay it is what was recorded here,
   * and nothing is looked at.
   */
  observe<Type extends EventType>(
    place: EventPlace,
    type: Type,
    look: () => EventData[Type] | undefined,
  ): EventData[Type] | undefined {
    const { recording } = this.#core;
    // An event that is matched has the type that was asked for.
    if (recording.isLeft())
      return recording.isNext(place, type) ? (recording.match(place, type) as EventOf<Type>).data : undefined;
    const seen = look();
    return seen === undefined ? undefined : this.#core.emit(place, type, seen).data;
  }

  /** When the newest event happened. */
  now(): number {
    return this.#core.stopwatch.now();
  }

  /** Whether the run replays what is recorded. */
  isReplaying(): boolean {
    return this.#core.recording.isLeft();
  }

  /** Whether what is recorded is the past of another run, up to where this one begins. */
  isFork(): boolean {
    return this.#core.recording.isBorrowed();
  }

  /** Whether an event was in the journal when the run began. */
  isRecorded({ seq = 0 }: Pick<BatonEvent, "seq">): boolean {
    return seq < this.#options.recorded.length;
  }

  step<Value>(effect: Effect<Value>): Promise<ResultEvent> | ResultEvent {
    const core = this.#core;
    const { recording } = core;
    if (recording.isLeft()) {
      const isNext = recording.isNext(effect.place, effect.intent.type);
      return isNext ? takeStep(core, effect) : holdStep(core, effect, () => this.step(effect));
    }
    // A tool call belongs to the turn of the model call before it, so it begins even when the run is to end after this turn.
    const isOfTurn = effect.intent.type === "tool.called";
    // A paused run goes on over its journal again, with an answer in it; one that is released, in another process.
    if (core.isOver() || (core.isReleasing && !isOfTurn)) return new Promise(() => {});
    const { isStopping, isAborted } = this.#options.control;
    return isAborted || (isStopping && !isOfTurn) ? this.#end(effect, isAborted) : takeStep(core, effect);
  }

  /** Finds something out that is known outside the run, on record. */
  consult<Type extends EventType>(
    place: EventPlace,
    scope: Scope,
    type: Type,
    consultation: Consultation<EventData[Type]>,
  ): Promise<EventData[Type]> {
    return consult(this.#core, place, scope, type, consultation);
  }

  /** Whether such an event was in the journal when the run began, wherever. */
  hasRecorded({ path }: EventPlace, type: EventType): boolean {
    return this.#core.recording.has(path, type);
  }

  /** Asks a human or program. Without a recorded answer the run is paused: RunPaused is thrown to whoever started it. */
  ask(place: EventPlace, scope: Scope, question: Paused, limit?: PauseTimeout): Promise<ResumeAnswer> {
    return ask(this.#core, place, scope, question, limit);
  }

  /**
   * Begins no more turns, and calls back when those under way are done. A run that has ended or paused by then needs no release,
   * so the callback is skipped.
   */
  release(onDone: () => void): void {
    const core = this.#core;
    const { delivery } = core;
    core.isReleasing = true;
    // Twice, so that a question that came up with the last result is asked first.
    delivery.whenIdle(() => delivery.whenIdle(() => void (core.isOver() || onDone())));
  }

  /** The run has ended here, or was released: nothing that still comes is part of it. */
  leave(): void {
    this.#core.hasLeft = true;
  }

  /** Ends everything that is under way, on record. */
  cancel(reason: string): void {
    const core = this.#core;
    core.delivery.now(() => {
      // What is asked for during a replay is done when the replay ends.
      if (core.recording.isLeft()) this.#cancelling = reason;
      else if (!this.scope.isClosed && !core.isOver()) this.#close(reason);
    });
  }

  /** Calls back when so much of the run's own time, pauses not counted, has passed in the scope. */
  deadline(limit: Limit, onPassed: () => void): Pick<Deadline, "callOff"> {
    return new Deadline(this.#core, limit, onPassed);
  }

  /** Waits so long of the run's own time; what follows a wait that is on record does not wait again. */
  wait(limit: Limit): Promise<void> {
    return waitFor(this.#core, limit);
  }

  /** Call it when several branches begin to run at once. Call the function that it returns when they have joined again. */
  branch(): () => void {
    return this.#core.delivery.branch();
  }

  /** The number of the attempt at an effect that is about to be had, from 1. `isOnce` says that it must not be had twice. */
  countAttempt({ path }: EventPlace, intent: EventType, isOnce: boolean): number {
    return this.#core.recording.countBegun(path, intent, isOnce) + 1;
  }

  /** How often something of this name was counted, this time included. */
  count(name: string): number {
    const count = this.#counts.get(name);
    if (count !== undefined) return ++count.value;
    this.#counts.set(name, { value: 1 });
    return 1;
  }

  /** Takes back that something was counted. */
  uncount(name: string): void {
    const count = this.#counts.get(name);
    if (count !== undefined) count.value--;
  }

  /** In the place of an effect in a run that is to end. */
  #end<Value>({ scope }: Effect<Value>, isAborted: boolean): Promise<ResultEvent> {
    const { clock, delivery } = this.#core;
    return new Promise((_, reject) => {
      scope.add({ close: (reason) => reject(new ScopeClosed(reason)) });
      if (isAborted) clock.defer(() => this.cancel("cancelled"));
      // What is under way elsewhere may finish; then all of it ends.
      else delivery.whenIdle(() => this.cancel("stopped"));
    });
  }

  /** In a replay, the run is cancelled where it was. */
  #watchForCancelling(): void {
    const core = this.#core;
    core.recording.wait(cancelPlace.path, {
      // Nothing but that is recorded at this place.
      onResult: (event) => this.scope.close((event.data as EventData["run.cancelling"]).reason),
      onEnd: () => {
        // A run that is paused can be cancelled, too.
        const mayClose = !core.isOver() || core.stopwatch.isPaused();
        if (this.#cancelling !== undefined && mayClose) this.#close(this.#cancelling);
      },
      onStuck: () => {},
    });
  }

  #fail(failure: Failure): void {
    this.failure = failure;
    this.scope.close(failure.message, failure);
  }

  #close(reason: string): void {
    this.#core.emit(cancelPlace, "run.cancelling", { reason });
    this.scope.close(reason);
  }
}

const cancelPlace: EventPlace = { path: "cancel" };
