import type { Plan } from "../src/flow/plan/plan.ts";
import { countToolCalls } from "../src/views/count-tool-calls.ts";
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
    return limit === null || made[name] <= limit
      ? []
      : [`the run has ${made[name]} ${name}, and its plan allows ${limit}`];
  });
}
