import type { BatonEvent, EventData, EventOf, EventType, ResumeAnswer } from "../events.ts";
import type { Clock } from "../run/clock.ts";

/** The event that records an answer, where the run asked for it. */
export function answered(paused: EventOf<"run.paused">, answer: ResumeAnswer, clock: Clock): BatonEvent {
  return { ...next(paused, clock), type: "run.resumed", data: answer };
}

/** The event that records that somebody goes on with a run that nobody was running. */
export function continued(last: BatonEvent, why: EventData["run.continued"]["why"], clock: Clock): BatonEvent {
  const { runId, ts, seq, id } = next(last, clock);
  return { runId, ts, seq, id, path: "", type: "run.continued", data: { why } };
}

function next<Event extends EventOf<EventType>>(last: Event, clock: Clock) {
  const seq = (last.seq ?? 0) + 1;
  return { ...last, seq, id: `${last.runId}.${seq}`, ts: clock.now() };
}
