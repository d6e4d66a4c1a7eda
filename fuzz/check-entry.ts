import { listEntries } from "../src/flow/list-entries.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { eventsOfType } from "./events-of-type.ts";

/** Who begins is chosen once where the crew leaves it open, before anybody speaks, among those who may. */
export function checkEntry(events: readonly BatonEvent[], crew: Crew): string[] {
  const choices = eventsOfType(events, "classification");
  if (crew.entryPoint.type === "agent") return choices.length === 0 ? [] : ["somebody was chosen, though one is named"];
  const begun = events.findIndex(({ type, path }) => type === "agent.started" && path === "0");
  const [choice] = choices;
  if (choice === undefined) return begun === -1 ? [] : ["somebody begins, and nobody was chosen"];
  const { agent, confidence, low_confidence: isLow = false, alternatives } = choice.data;
  const entries = listEntries(crew).map(({ id }) => id);
  const others = alternatives.map((each) => each.agent);
  return [
    ...(choices.length === 1 ? [] : [`somebody was chosen ${choices.length} times`]),
    ...(begun === -1 || events.indexOf(choice) < begun ? [] : ["somebody was chosen after the first had begun"]),
    ...(entries.includes(agent) ? [] : [`${agent} was chosen, who may not begin`]),
    ...(others.includes(agent) || others.some((id) => !entries.includes(id)) ? ["there are wrong alternatives"] : []),
    ...(confidence >= 0 && confidence <= 1 ? [] : [`the confidence is ${confidence}`]),
    ...(isLow && agent !== entries[0] ? [`${agent} takes what fits nobody, and is not the first`] : []),
    ...(isLow || confidence >= crew.settings.minConfidence ? [] : ["a low confidence is not said"]),
  ];
}
