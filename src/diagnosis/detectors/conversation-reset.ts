import { findPhrase } from "../phrases.ts";
import { type Detector, locateAgentKey, locateCrewKey, quoteEnd, type Scene } from "../scene.ts";
import { sharesHistory } from "../shared-history.ts";
import { getAnswer, type Invocation, isBefore } from "../story.ts";
import { listWords, sayTheSame } from "../words.ts";

/** Finds agents that start over in the middle of their work. */
export const findResets: Detector = (scene) => {
  const onLine = scene.story.invocations.filter(({ path }) => !/\/c\d+\//.test(path));
  const bySpeaker = Map.groupBy(onLine, ({ speaker }) => speaker);
  return [...bySpeaker.values()].flatMap((invocations) => {
    const answered = invocations.filter((invocation) => listWords(getAnswer(invocation)).length > 3);
    const reset = answered.findIndex((invocation, index) => isReset(invocation, index, answered));
    const [invocation, first] = [answered[reset], answered[0]];
    return invocation === undefined || first === undefined ? [] : [describeReset(invocation, first, reset, scene)];
  });
};

function isReset(invocation: Invocation, index: number, answered: readonly Invocation[]): boolean {
  const [first, previous] = [answered[0], answered[index - 1]];
  if (first === undefined || previous === undefined || !isBefore(previous, invocation)) return false;
  const answer = getAnswer(invocation);
  if (findPhrase(answer, "greets") !== undefined) return true;
  const isBack = index > 1 && sayTheSame(getAnswer(first), answer);
  return isBack && !sayTheSame(getAnswer(previous), answer) && invocation.input !== first.input;
}

function describeReset(invocation: Invocation, first: Invocation, index: number, scene: Scene) {
  const isShared = sharesHistory(invocation, scene);
  return {
    code: "conversation-reset",
    severity: "medium",
    confidence: "likely",
    title: `${invocation.speaker} began anew`,
    agents: [invocation.speaker],
    evidence: [first, invocation].map((each) => quoteEnd(each)),
    why: `Its answer ${index + 1} is what one says at the beginning${isShared ? "" : "; it began to speak without the history of the crew"}.`,
    where: isShared
      ? locateAgentKey(invocation, "system_prompt")
      : locateCrewKey(invocation.crew, "settings", "history"),
    advice: isShared
      ? "say in its prompt that it is in the middle of a conversation when others have spoken"
      : "set 'history: full', so that it sees what it said before",
  } as const;
}
