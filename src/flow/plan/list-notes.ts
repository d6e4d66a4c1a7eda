import type { Crew } from "../../vocabulary/crew.ts";
import type { Figure } from "./measure.ts";
import type { WorstCase } from "./plan.ts";
import type { Surveyed } from "./survey.ts";

/** Where nobody set a limit, it is no slip that it never binds. */
const USUAL_HANDOFFS = 10;
const USUAL_ROUNDS = 100;

/** What a reader should know besides the figures: limits that nothing can reach, and figures that are no more than upper bounds. */
export function listNotes(crew: Crew, worst: WorstCase, surveyed: Readonly<Record<Figure, Surveyed>>): string[] {
  const { maxHandoffs, maxRounds, maxRunHandoffs } = crew.settings;
  const { handoffs, rounds } = worst;
  const { graph, line } = surveyed.modelCalls;
  const canPause = graph.nodes.some(({ ways }) => ways.some(({ isAnswered }) => isAnswered));
  return [
    ...(handoffs !== null && handoffs < Math.min(maxHandoffs, maxRunHandoffs) && maxHandoffs !== USUAL_HANDOFFS
      ? [`max_handoffs (${maxHandoffs}) never binds: no run makes more than ${handoffs}`]
      : []),
    ...(rounds !== null && rounds < maxRounds && maxRounds !== USUAL_ROUNDS
      ? [`max_rounds (${maxRounds}) never binds: no run has more than ${rounds} answers`]
      : []),
    ...(canPause ? ["a human's answers are taken to be as long as the context windows allow"] : []),
    ...(line.isRelaxed || graph.isLoose
      ? ["the crew has too many states to look at each: the figures are upper bounds that no run may reach"]
      : []),
    ...listPausingQuotas(crew),
  ];
}

function listPausingQuotas({ settings }: Crew): string[] {
  const pausing = settings.quotas.some(({ onExceed }) => onExceed === "pause");
  const daily = settings.quotas.some(({ per, onExceed }) => per === "day" && onExceed !== "warn");
  return [
    ...(pausing ? ["quotas with 'on_exceed: pause' bound nothing here, since a human may raise them"] : []),
    ...(daily ? ["quotas of a day bound nothing here, since a run may last longer"] : []),
  ];
}
