import type { Script, ScriptedReply } from "../models/script-model.ts";
import type { BatonEvent, EventOf } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";

/** Builds a script from the replies of a recorded run, per agent, in the order of the calls. */
export function replayScript(events: readonly BatonEvent[]): Script {
  const results = new Map(events.filter(isResult).map((event) => [event.path, event]));
  const script = new Map<string, ScriptedReply[]>();
  for (const called of events) {
    const result = called.type === "model.called" ? results.get(called.path) : undefined;
    // A call that was lost in a crash was made again, and the second call has the reply.
    if (result === undefined || (result.type === "model.failed" && result.data.code === "lost")) continue;
    const name = nameSpeaker(called);
    const replies = script.get(name) ?? [];
    replies.push(buildReply(result));
    script.set(name, replies);
  }
  return { replies: Object.fromEntries(script) };
}

type Result = EventOf<"model.completed"> | EventOf<"model.failed">;

function isResult(event: BatonEvent): event is Result {
  return event.type === "model.completed" || event.type === "model.failed";
}

function buildReply(result: Result): ScriptedReply {
  const nothing = {
    text: "",
    reasoning: undefined,
    toolCalls: [],
    finish: undefined,
    usage: undefined,
    latencyMs: 0,
    error: undefined,
  };
  if (result.type === "model.failed") {
    const { status, message, retryAfterMs } = result.data;
    return { ...nothing, error: { status, message, retryAfterMs } };
  }
  const { text, reasoning, toolCalls, finish, usage } = result.data;
  return { ...nothing, text, reasoning, toolCalls, usage, finish: finish === "length" ? finish : undefined };
}
