import type { Clock } from "../run/clock.ts";
import type { BatonEvent, EventData, EventOf, EventType } from "../vocabulary/events.ts";
import type { RecordedAnswer } from "../vocabulary/pause.ts";
import type { ModelOptions } from "../vocabulary/run-start.ts";

/** The event that records the answer to a pause. */
export function answerEvent(
  paused: EventOf<"run.paused">,
  answer: RecordedAnswer,
  clock: Clock,
  modelOptions?: ModelOptions,
): EventOf<"run.resumed"> {
  const data = { ...answer, ...(modelOptions !== undefined && { modelOptions }) };
  return { ...next(paused, clock), type: "run.resumed", data };
}

/** The event that records that a run continues which nobody was running. */
export function continuationEvent(
  last: BatonEvent,
  why: EventData["run.continued"]["why"],
  clock: Clock,
  modelOptions?: ModelOptions,
): BatonEvent {
  const { runId, ts, seq, id } = next(last, clock);
  const data = { why, ...(modelOptions !== undefined && { modelOptions }) };
  return { runId, ts, seq, id, path: "", type: "run.continued", data };
}

/** The event that records that a run waits for somebody to continue it. */
export function queuedEvent(last: BatonEvent, data: EventData["run.queued"], clock: Clock): BatonEvent {
  const { runId, ts, seq, id } = next(last, clock);
  return { runId, ts, seq, id, path: "", type: "run.queued", data };
}

function next<Event extends EventOf<EventType>>(last: Event, clock: Clock) {
  const seq = (last.seq ?? 0) + 1;
  return { ...last, seq, id: `${last.runId}.${seq}`, ts: clock.now() };
}
