import type { BatonEvent, EventOf } from "../../../src/vocabulary/events.ts";

type Called = EventOf<"model.called">;

/** The call before this one of the same agent that got a reply: what the agent saw before. */
export function findPreviousCall(call: Called, events: readonly BatonEvent[]): Called | undefined {
  const earlier = events.filter(({ seq = 0 }) => seq < (call.seq ?? 0));
  const answered = new Set(earlier.flatMap(({ type, path }) => (type === "model.completed" ? [path] : [])));
  return earlier.findLast(
    (event): event is Called =>
      event.type === "model.called" &&
      event.agent === call.agent &&
      event.crew === call.crew &&
      answered.has(event.path),
  );
}

/** Why messages are no longer sent: what was trimmed between the two calls, or that a new session began. */
export function explainDropped(call: Called, previous: Called | undefined, events: readonly BatonEvent[]): string {
  const trimmed = events.findLast(
    (event) =>
      event.type === "context.trimmed" &&
      event.agent === call.agent &&
      (event.seq ?? 0) < (call.seq ?? 0) &&
      (event.seq ?? 0) > (previous?.seq ?? -1),
  );
  if (trimmed?.type === "context.trimmed")
    return `${trimmed.data.messages} earlier messages were trimmed, because the history outgrew the context window.`;
  return "The agent was asked anew: its history begins with the new input, in the frame that the handoff gave it.";
}
