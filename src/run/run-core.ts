import type { BatonEvent, EventData, EventOf, EventPlace, EventType } from "../events.ts";
import type { RunId } from "../ids.ts";
import type { Clock } from "./clock.ts";
import { createDelivery, type Delivery } from "./delivery.ts";
import { createRecording, type Recording } from "./recording.ts";
import { createStopwatch, type Stopwatch } from "./stopwatch.ts";

export interface RunOptions {
  readonly id: RunId;
  readonly clock: Clock;
  /** What happened so far, where the run goes on from a journal. */
  readonly recorded: readonly BatonEvent[];
  /** Told of every new event, in order. */
  readonly onEvent: (event: BatonEvent) => void;
  /** Whether the run was asked to stop where it can: before its next effect. */
  readonly isStopping: () => boolean;
  /** Whether the run was told to end at once. */
  readonly isAborted: () => boolean;
  /** Done when all events so far are in the journal; undefined where they are, or where there is none. */
  readonly durable?: (() => Promise<void> | undefined) | undefined;
  /** Told of every recorded event that the run comes to again, with what it gives now. */
  readonly onRepeated?: ((recorded: BatonEvent, data: unknown) => void) | undefined;
}

/** What everything that a run does is made of: events, what is recorded of them, time, and turns. */
export interface RunCore {
  readonly clock: Clock;
  readonly recording: Recording;
  readonly delivery: Delivery;
  readonly stopwatch: Stopwatch;
  /** Whether the run is paused or has ended: nothing may follow but an answer. */
  isOver(): boolean;
  /** Done when all events so far are in the journal; undefined where they are. Nothing is acted on before. */
  durable(): Promise<void> | undefined;
  /** Makes an event happen; going over recorded ground, it must be the one recorded. */
  emit<Type extends EventType>(place: EventPlace, type: Type, data: EventData[Type]): EventOf<Type>;
  /** Told of what the run gives where the journal has an event already. */
  repeated(recorded: BatonEvent, data: unknown): void;
  /** For what is shown and not kept. */
  show<Type extends EventType>(place: EventPlace, type: Type, data: EventData[Type]): void;
}

export function createRunCore({ id, clock, recorded, onEvent, durable, onRepeated }: RunOptions): RunCore {
  const stopwatch = createStopwatch();
  const tellRepeated = onRepeated ?? (() => {});
  let seq = 0;
  let deltas = 0;
  const recording = createRecording(recorded, clock.defer, (event) => {
    seq = (event.seq ?? seq) + 1;
    stopwatch.see(event);
  });
  // An event of some type with the data of that type is one of the union, which the compiler cannot see for a type that varies.
  const tell = (event: EventOf<EventType>) => onEvent(event as BatonEvent);
  const create = <Type extends EventType>(place: EventPlace, type: Type, data: EventData[Type], number?: number) => {
    const { path, agent, crew } = place;
    const event = {
      seq: number,
      id: number === undefined ? `${id}.delta${deltas++}` : `${id}.${number}`,
      runId: id,
      ts: clock.now(),
      type,
      path,
      agent,
      crew,
      data,
    };
    return event as EventOf<Type>;
  };
  return {
    clock,
    recording,
    delivery: createDelivery(clock),
    stopwatch,
    isOver: stopwatch.isOver,
    durable: durable ?? (() => undefined),
    repeated: tellRepeated,
    emit(place, type, data) {
      if (recording.isLeft()) {
        const repeated = recording.match(place, type);
        tellRepeated(repeated, data);
        // A matched event has the type that was asked for.
        return repeated as EventOf<typeof type>;
      }
      const event = create(place, type, data, seq++);
      stopwatch.see(event);
      tell(event);
      return event;
    },
    show: (place, type, data) => tell(create(place, type, data)),
  };
}
