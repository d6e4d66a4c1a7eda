import type { Redactor } from "../redaction/redactor.ts";
import type { BatonEvent, EventData, EventOf, EventPlace, EventType, Failure } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { PauseTimeout } from "../vocabulary/pause.ts";
import type { Clock } from "./clock.ts";
import { Delivery } from "./delivery.ts";
import { Recording } from "./recording.ts";
import type { RunAttachments } from "./run-attachments.ts";
import type { RunFacts } from "./run-facts.ts";
import { Stopwatch } from "./stopwatch.ts";

export interface RunOptions {
  readonly id: RunId;
  readonly clock: Clock;
  /** What tools and functions are told of the run. */
  readonly facts?: RunFacts | undefined;
  readonly redactor?: Redactor | undefined;
  /** What it knows of the files that came along; nothing where nobody stores any. */
  readonly attachments?: RunAttachments | undefined;
  /** The events so far, if the run continues from a journal. */
  readonly recorded: readonly BatonEvent[];
  /** Called with every new event, in order. */
  readonly onEvent: (event: BatonEvent) => void;
  /** A request from outside: to stop before the next effect, or at once. */
  readonly control: { readonly isStopping: boolean; readonly isAborted: boolean };
  /** Resolves when all events so far are in the journal; undefined if they already are, or if there is no journal. */
  readonly durable?: (() => Promise<void> | undefined) | undefined;
  /** Called when the run has replayed all recorded events. */
  readonly onCaughtUp?: (() => void) | undefined;
  /** The lease of the run, if other processes could run it, too. */
  readonly lease?: RunLease | undefined;
  /** The limits of pauses that the crews around an agent set, the nearest first. */
  readonly pauseTimeouts?: ((agent: string) => readonly PauseTimeout[]) | undefined;
  /** Called with every recorded event that the replay reaches, and the data that the replay produces for it now. */
  readonly onRepeated?: ((recorded: BatonEvent, data: unknown) => void) | undefined;
}

/** The right to run a run, in so far as effects need it. */
export interface RunLease {
  /** Grows each time the run is taken, by whatever process. */
  readonly epoch: number;
  /** Resolves when it is certain that no other process has taken the run; rejects if one has. Undefined if none can. */
  confirm(): Promise<void> | undefined;
}

/** A question that is asked when nothing else in the run can continue. */
interface OpenQuestion {
  readonly path: string;
  ask(): void;
}

/** What everything that a run does is made of: events, what is recorded of them, time, and turns. */
export class RunCore {
  readonly clock: Clock;
  readonly recording: Recording;
  readonly delivery: Delivery;
  readonly stopwatch: Stopwatch;
  /** Questions for a human that wait until the run is idle. */
  questions: OpenQuestion[] | undefined = undefined;
  /** Whether the run is about to leave this process: turns under way finish with their tool calls, and no others begin. */
  isReleasing = false;
  /** Whether nobody listens any more. The result of an effect that ends now belongs to nobody: another process may have the run. */
  hasLeft = false;
  /** Ends the run as failed, wherever it is. */
  readonly fail: (failure: Failure) => void;
  readonly attachments: RunAttachments;
  readonly #options: RunOptions;
  /** What the ids of its events begin with. */
  readonly #idPrefix: string;
  #seq = 0;
  #deltas = 0;

  constructor(options: RunOptions, attachments: RunAttachments, fail: (failure: Failure) => void) {
    const { clock, recorded } = options;
    this.#options = options;
    this.#idPrefix = `${options.id}.`;
    this.fail = fail;
    this.attachments = attachments;
    this.clock = clock;
    this.stopwatch = new Stopwatch(clock);
    this.delivery = new Delivery(clock);
    this.recording = new Recording(recorded, clock, this);
  }

  /** Whether the run is paused or has ended: nothing may follow but an answer. */
  isOver(): boolean {
    return this.stopwatch.isOver();
  }

  /** Whether the run was told to end at once: nothing more is called. */
  isAborted(): boolean {
    return this.#options.control.isAborted;
  }

  /** Done when all events so far are in the journal; undefined where they are. Nothing is acted on before. */
  durable(): Promise<void> | undefined {
    return this.#options.durable?.();
  }

  pauseTimeouts(agent: string): readonly PauseTimeout[] {
    return this.#options.pauseTimeouts?.(agent) ?? [];
  }

  /** Done when it is certain that no other process has the run; undefined where that needs no time. */
  confirmLease(): Promise<void> | undefined {
    return this.#options.lease?.confirm();
  }

  /** Told of every recorded event as the run comes past it. */
  advanced(event: BatonEvent): void {
    this.#seq = (event.seq ?? this.#seq) + 1;
    this.stopwatch.see(event);
    if (!this.recording.isLeft()) this.#options.onCaughtUp?.();
  }

  /** Makes an event happen; in a replay it must be the one recorded. */
  emit<Type extends EventType>(
    place: EventPlace,
    type: Type,
    data: EventData[Type],
    ts = this.clock.now(),
  ): EventOf<Type> {
    if (this.recording.isLeft()) {
      const repeated = this.recording.match(place, type);
      this.repeated(repeated, data);
      // A matched event has the type that was asked for.
      return repeated as EventOf<Type>;
    }
    const number = this.#seq++;
    const event = this.#create(place, type, data, ts, number, this.#idPrefix + number);
    this.stopwatch.see(event);
    this.#tell(event);
    return event;
  }

  /** Told of what the run gives where the journal has an event already. */
  repeated(recorded: BatonEvent, data: unknown): void {
    this.#options.onRepeated?.(recorded, data);
  }

  /** For what is shown and not stored. */
  show<Type extends EventType>(place: EventPlace, type: Type, data: EventData[Type]): void {
    this.#tell(this.#create(place, type, data, this.clock.now(), undefined, `${this.#idPrefix}delta${this.#deltas++}`));
  }

  #create<Type extends EventType>(
    { path, agent, crew }: EventPlace,
    type: Type,
    data: EventData[Type],
    ts: number,
    seq: number | undefined,
    id: string,
  ): EventOf<Type> {
    const { id: runId } = this.#options;
    return { seq, id, runId, ts, type, path, agent, crew, data } as EventOf<Type>;
  }

  /** An event of some type with the data of that type is one of the union, which the compiler cannot see for a type that varies. */
  #tell(event: EventOf<EventType>): void {
    if (!this.hasLeft) this.#options.onEvent(event as BatonEvent);
  }
}
