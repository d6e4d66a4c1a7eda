import { saidIn } from "../phrases.ts";
import { agentKey, crewKey, type Detector, evidence, type Scene } from "../scene.ts";
import { sharesHistory } from "../shared-history.ts";
import { answerOf, isBefore, type Stint } from "../story.ts";
import { sayTheSame, wordsOf } from "../words.ts";

/** Agents that begin anew in the middle of their work. */
export const findResets: Detector = (scene) => {
  const onLine = scene.story.stints.filter(({ path }) => !/\/c\d+\//.test(path));
  const bySpeaker = Map.groupBy(onLine, ({ speaker }) => speaker);
  return [...bySpeaker.values()].flatMap((stints) => {
    const answered = stints.filter((stint) => wordsOf(answerOf(stint)).length > 3);
    const reset = answered.findIndex((stint, index) => isReset(stint, index, answered));
    const [stint, first] = [answered[reset], answered[0]];
    return stint === undefined || first === undefined ? [] : [resetOf(stint, first, reset, scene)];
  });
};

function isReset(stint: Stint, index: number, answered: readonly Stint[]): boolean {
  const [first, previous] = [answered[0], answered[index - 1]];
  if (first === undefined || previous === undefined || !isBefore(previous, stint)) return false;
  const answer = answerOf(stint);
  if (saidIn(answer, "greets") !== undefined) return true;
  const isBack = index > 1 && sayTheSame(answerOf(first), answer);
  return isBack && !sayTheSame(answerOf(previous), answer) && stint.input !== first.input;
}

function resetOf(stint: Stint, first: Stint, index: number, scene: Scene) {
  const isShared = sharesHistory(stint, scene);
  return {
    code: "conversation-reset",
    severity: "medium",
    confidence: "likely",
    title: `${stint.speaker} began anew`,
    agents: [stint.speaker],
    evidence: [first, stint].map((each) => evidence(each.end ?? each.started, answerOf(each))),
    why: `Its answer ${index + 1} is what one says at the beginning${isShared ? "" : "; it came to speak without the history of the crew"}.`,
    where: isShared ? agentKey(stint, "system_prompt") : crewKey(stint.crew, "settings", "history"),
    advice: isShared
      ? "say in its prompt that it is in the middle of a conversation when others have spoken"
      : "set 'history: full', so that it sees what it said before",
  } as const;
}
