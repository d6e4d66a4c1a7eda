import type { EffectAbort } from "../run/effect.ts";
import type { Run } from "../run/run.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Agent, ToolEffect } from "../vocabulary/crew.ts";
import type { EventPlace, EventType } from "../vocabulary/events.ts";

/** A call of a tool or function, as it is told of itself. */
interface DescribedCall {
  readonly run: Run;
  readonly agent: Pick<Agent, "id">;
  readonly place: EventPlace;
  readonly effect: ToolEffect;
  readonly intent: Extract<EventType, "tool.called" | "function.called">;
}

/** The context of a call. */
export function describeCall(
  { run, agent, place, effect, intent }: DescribedCall,
  { signal }: EffectAbort,
): ToolContext {
  const { crew, conversation, user, variables, context, makeKey } = run.facts;
  return {
    signal,
    runId: run.id,
    callId: place.path,
    idempotencyKey: makeKey(place.path),
    agent: agent.id,
    crew: place.crew ?? crew,
    conversation,
    user,
    attempt: run.countAttempt(place, intent, effect === "once"),
    epoch: run.epoch,
    variables,
    // Whoever defines a tool says which keys it needs. The crew's types hold that they are given.
    context: context as ToolContext["context"],
  };
}
