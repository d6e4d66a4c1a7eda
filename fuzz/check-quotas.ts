import type { Agent, Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import type { Quota } from "../src/vocabulary/quota.ts";
import { eventsOfType } from "./events-of-type.ts";

/** No more calls than quotas allow, but for those that only warn and those that a human may have raised. */
export function checkQuotas(events: readonly BatonEvent[], crew: Crew): string[] {
  const exceeded = eventsOfType(events, "quota.exceeded");
  const stops = exceeded.filter(({ data }) => data.onExceed === "stop");
  // That of an agent may only end a call of it.
  const mustEnd = stops.some(({ data }) => data.level === "run");
  const end = events.at(-1);
  const isStopped = end?.type === "run.failed" && end.data.stopReason === "quota";
  return [
    ...crew.settings.quotas.flatMap((quota) => callsAreLimited(quota, events, "the run")),
    ...[...crew.agents.values()].flatMap((agent) => agentIsLimited(agent, events)),
    ...(isStopped && stops.length === 0 ? ["a quota ended the run, and none was exceeded"] : []),
    ...(mustEnd && !isStopped ? ["the run's own quota was exceeded, and did not end it"] : []),
  ];
}

function agentIsLimited({ id, quotas }: Agent, events: readonly BatonEvent[]): string[] {
  const own = events.filter(({ agent }) => agent === id);
  return quotas.flatMap((quota) => callsAreLimited(quota, own, `agent ${id}`));
}

function callsAreLimited(quota: Quota, events: readonly BatonEvent[], of: string): string[] {
  if (quota.onExceed === "warn" || quota.onExceed === "pause" || quota.per === "day") return [];
  const models = eventsOfType(events, "model.called");
  const { maxLlmCalls = models.length, maxToolCalls = Number.POSITIVE_INFINITY, maxCallsPerMinute } = quota;
  // What is told to a model that it cannot be called is no call; nor is what ends a session.
  // What ends a session is no call that counts.
  const isExit = /^(signal|handoff-to|team__broadcast|transfer_to_.*)$/;
  const tools = eventsOfType(events, "tool.completed").filter(({ data }) => !isExit.test(data.tool));
  const burst = Math.max(
    0,
    ...models.map(({ ts }) => models.filter((each) => each.ts <= ts && each.ts > ts - 60_000).length),
  );
  return [
    ...(models.length <= maxLlmCalls
      ? []
      : [`${models.length} model calls of ${of}, where ${maxLlmCalls} are allowed`]),
    ...(tools.length <= maxToolCalls ? [] : [`${tools.length} tool calls of ${of}, where ${maxToolCalls} are allowed`]),
    ...(burst <= (maxCallsPerMinute ?? burst) ? [] : [`${burst} model calls of ${of} in a minute`]),
  ];
}
