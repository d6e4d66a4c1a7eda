import { agentKey, type Detector, endOf, evidence } from "../scene.ts";
import { answerOf } from "../story.ts";
import { isEnglish, sharedBetween, topicsOf } from "../words.ts";

/** A run whose end has nothing to do with what it was asked. */
export const findDerailment: Detector = ({ story: { ending, input, lines, events } }) => {
  if (ending?.type !== "run.completed") return [];
  const line = lines.get("") ?? [];
  const asked = topicsOf(input);
  const { output } = ending.data;
  const given = topicsOf(output);
  if (asked.size < 5 || given.size < 10 || !isEnglish(input) || !isEnglish(output)) return [];
  if (sharedBetween(asked, given).length > 0) return [];
  // The first from whom on nobody came back to it.
  const back = line.findLastIndex((invocation) => sharedBetween(asked, topicsOf(answerOf(invocation))).length > 0);
  const first = line[back + 1];
  const [started] = events;
  if (first === undefined || started === undefined) return [];
  return [
    {
      code: "derailed",
      severity: "high",
      confidence: "likely",
      title: `the answer has nothing to do with the request${line.length > 1 ? `; ${first.speaker} left the subject` : ""}`,
      agents: [first.speaker],
      evidence: [evidence(started, input), endOf(first)],
      why: `Of the ${asked.size} words that tell what was asked for, none is in the answer, which has ${given.size} of its own.`,
      where: agentKey(first, "system_prompt"),
      advice: `say in the prompt of ${first.agent} to keep to the request; let those before it hand the request on`,
    },
  ];
};
