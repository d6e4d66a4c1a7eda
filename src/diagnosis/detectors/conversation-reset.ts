import { saidIn } from "../phrases.ts";
import { agentKey, crewKey, type Detector, endOf, type Scene } from "../scene.ts";
import { sharesHistory } from "../shared-history.ts";
import { answerOf, isBefore, type Stretch } from "../story.ts";
import { sayTheSame, wordsOf } from "../words.ts";

/** Agents that begin anew in the middle of their work. */
export const findResets: Detector = (scene) => {
  const onLine = scene.story.stretches.filter(({ path }) => !/\/c\d+\//.test(path));
  const bySpeaker = Map.groupBy(onLine, ({ speaker }) => speaker);
  return [...bySpeaker.values()].flatMap((stretches) => {
    const answered = stretches.filter((stretch) => wordsOf(answerOf(stretch)).length > 3);
    const reset = answered.findIndex((stretch, index) => isReset(stretch, index, answered));
    const [stretch, first] = [answered[reset], answered[0]];
    return stretch === undefined || first === undefined ? [] : [resetOf(stretch, first, reset, scene)];
  });
};

function isReset(stretch: Stretch, index: number, answered: readonly Stretch[]): boolean {
  const [first, previous] = [answered[0], answered[index - 1]];
  if (first === undefined || previous === undefined || !isBefore(previous, stretch)) return false;
  const answer = answerOf(stretch);
  if (saidIn(answer, "greets") !== undefined) return true;
  const isBack = index > 1 && sayTheSame(answerOf(first), answer);
  return isBack && !sayTheSame(answerOf(previous), answer) && stretch.input !== first.input;
}

function resetOf(stretch: Stretch, first: Stretch, index: number, scene: Scene) {
  const isShared = sharesHistory(stretch, scene);
  return {
    code: "conversation-reset",
    severity: "medium",
    confidence: "likely",
    title: `${stretch.speaker} began anew`,
    agents: [stretch.speaker],
    evidence: [first, stretch].map((each) => endOf(each)),
    why: `Its answer ${index + 1} is what one says at the beginning${isShared ? "" : "; it came to speak without the history of the crew"}.`,
    where: isShared ? agentKey(stretch, "system_prompt") : crewKey(stretch.crew, "settings", "history"),
    advice: isShared
      ? "say in its prompt that it is in the middle of a conversation when others have spoken"
      : "set 'history: full', so that it sees what it said before",
  } as const;
}
