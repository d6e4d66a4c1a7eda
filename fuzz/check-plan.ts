import type { Plan } from "../src/flow/plan/plan.ts";
import { buildResult } from "../src/views/run-result.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { eventsOfType } from "./events-of-type.ts";
import { withoutLost } from "./without-lost.ts";

/** No run makes more handoffs, answers and calls than its plan allows. */
export function checkPlan(events: readonly BatonEvent[], { worst }: Plan): string[] {
  const { handoffs, rounds } = buildResult(events);
  const lasting = withoutLost(events);
  const made = {
    handoffs,
    rounds,
    modelCalls: eventsOfType(lasting, "model.called").length,
    toolCalls: countToolCalls(events),
  };
  const names = ["handoffs", "rounds", "modelCalls", "toolCalls"] as const;
  return names.flatMap((name) => {
    const limit = worst[name];
    return limit === null || made[name] <= limit ? [] : [`the run has ${made[name]} ${name}, and its plan allows ${limit}`];
  });
}

/** Calls that are made: not those that end a session, and not those that the model is told cannot be made. */
export function countToolCalls(events: readonly BatonEvent[]): number {
  const refused = new Set(
    eventsOfType(events, "tool.failed").flatMap(({ path, data }) => (REFUSED.test(data.message) ? path : [])),
  );
  const called = eventsOfType(events, "tool.called").filter(({ path, data }) => !EXIT.test(data.tool) && !refused.has(path));
  return new Set(called.map(({ path }) => path)).size;
}

const EXIT = /^(signal|handoff-to|team__broadcast|transfer_to_.*)$/;
const REFUSED = /^(not called: |there is no tool |the arguments are not valid JSON|'.*' cannot be called on the last turn)/s;
