import type { BatonEvent, EventOf } from "../../../src/vocabulary/events.ts";

/** Why a handoff happened: the signal that decided it, and the words that raised the signal. */
export interface HandoffReason {
  readonly signal: EventOf<"signal.emitted"> | undefined;
  readonly answer: EventOf<"agent.completed"> | undefined;
  /** The words around the signal's token. */
  readonly before: string;
  readonly token: string;
  readonly after: string;
}

const AROUND = 160;

export function explainHandoff(handoff: EventOf<"handoff">, events: readonly BatonEvent[]): HandoffReason {
  const earlier = events.filter(({ seq = 0 }) => seq < (handoff.seq ?? 0));
  const answer = earlier.findLast(
    (event): event is EventOf<"agent.completed"> =>
      event.type === "agent.completed" && event.agent === handoff.data.from && event.crew === handoff.crew,
  );
  const signal = earlier.findLast(
    (event): event is EventOf<"signal.emitted"> =>
      event.type === "signal.emitted" &&
      event.agent === handoff.data.from &&
      (event.seq ?? 0) > (answer?.seq ?? 0) &&
      handoff.data.reason.includes(event.data.signal),
  );
  const text = answer?.data.answer ?? "";
  const token = signal?.data.token ?? "";
  const index = token === "" ? -1 : text.indexOf(token);
  if (index === -1) return { signal, answer, before: "", token, after: "" };
  const before = text.slice(Math.max(0, index - AROUND), index);
  return { signal, answer, before, token, after: text.slice(index + token.length, index + token.length + AROUND) };
}
