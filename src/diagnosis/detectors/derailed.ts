import { type Detector, locateAgentKey, quoteEnd, quoteEvent } from "../scene.ts";
import { getAnswer } from "../story.ts";
import { findShared, findTopics, isEnglish } from "../words.ts";

/** Finds a run whose end has nothing to do with its input. */
export const findDerailment: Detector = ({ story: { ending, input, lines, events } }) => {
  if (ending?.type !== "run.completed") return [];
  const line = lines.get("") ?? [];
  const asked = findTopics(input);
  const { output } = ending.data;
  const given = findTopics(output);
  if (asked.size < 5 || given.size < 10 || !isEnglish(input) || !isEnglish(output)) return [];
  if (findShared(asked, given).length > 0) return [];
  // The first invocation after which nobody returned to the topic.
  const back = line.findLastIndex((invocation) => findShared(asked, findTopics(getAnswer(invocation))).length > 0);
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
      evidence: [quoteEvent(started, input), quoteEnd(first)],
      why: `Of the ${asked.size} words that tell what was asked for, none is in the answer, which has ${given.size} of its own.`,
      where: locateAgentKey(first, "system_prompt"),
      advice: `say in the prompt of ${first.agent} to keep to the request; let those before it hand the request on`,
    },
  ];
};
