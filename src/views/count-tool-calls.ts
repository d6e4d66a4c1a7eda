import type { BatonEvent } from "../vocabulary/events.ts";

/** Tools that end a session. Calling one is an answer, and no tool call that counts. */
const EXIT = /^(signal|handoff-to|team__broadcast|transfer_to_.*)$/;

/** What a model is told of a call that is not made. */
const REFUSED =
  /^(not called: |there is no tool |the arguments are not valid JSON|'.*' cannot be called on the last turn)/s;

/** Counts the tool calls that a run made, as quotas count them: not what ends a session, and not what was refused. */
export function countToolCalls(events: readonly BatonEvent[]): number {
  const called = new Set<string>();
  for (const { type, path, data } of events) {
    if (type === "tool.called" && !EXIT.test(data.tool)) called.add(path);
    else if (type === "tool.failed" && REFUSED.test(data.message)) called.delete(path);
  }
  return called.size;
}
