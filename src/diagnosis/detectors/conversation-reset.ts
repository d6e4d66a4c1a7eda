import { saidIn } from "../phrases.ts";
import { agentKey, crewKey, type Detector, endOf, type Scene } from "../scene.ts";
import { sharesHistory } from "../shared-history.ts";
import { answerOf, type Invocation, isBefore } from "../story.ts";
import { sayTheSame, wordsOf } from "../words.ts";

/** Agents that begin anew in the middle of their work. */
export const findResets: Detector = (scene) => {
  const onLine = scene.story.invocations.filter(({ path }) => !/\/c\d+\//.test(path));
  const bySpeaker = Map.groupBy(onLine, ({ speaker }) => speaker);
  return [...bySpeaker.values()].flatMap((invocations) => {
    const answered = invocations.filter((invocation) => wordsOf(answerOf(invocation)).length > 3);
    const reset = answered.findIndex((invocation, index) => isReset(invocation, index, answered));
    const [invocation, first] = [answered[reset], answered[0]];
    return invocation === undefined || first === undefined ? [] : [resetOf(invocation, first, reset, scene)];
  });
};

function isReset(invocation: Invocation, index: number, answered: readonly Invocation[]): boolean {
  const [first, previous] = [answered[0], answered[index - 1]];
  if (first === undefined || previous === undefined || !isBefore(previous, invocation)) return false;
  const answer = answerOf(invocation);
  if (saidIn(answer, "greets") !== undefined) return true;
  const isBack = index > 1 && sayTheSame(answerOf(first), answer);
  return isBack && !sayTheSame(answerOf(previous), answer) && invocation.input !== first.input;
}

function resetOf(invocation: Invocation, first: Invocation, index: number, scene: Scene) {
  const isShared = sharesHistory(invocation, scene);
  return {
    code: "conversation-reset",
    severity: "medium",
    confidence: "likely",
    title: `${invocation.speaker} began anew`,
    agents: [invocation.speaker],
    evidence: [first, invocation].map((each) => endOf(each)),
    why: `Its answer ${index + 1} is what one says at the beginning${isShared ? "" : "; it came to speak without the history of the crew"}.`,
    where: isShared ? agentKey(invocation, "system_prompt") : crewKey(invocation.crew, "settings", "history"),
    advice: isShared
      ? "say in its prompt that it is in the middle of a conversation when others have spoken"
      : "set 'history: full', so that it sees what it said before",
  } as const;
}
