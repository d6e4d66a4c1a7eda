import { saidIn } from "../phrases.ts";
import { agentKey, type Detector, evidence, type Scene } from "../scene.ts";
import { answerOf, type Stint } from "../story.ts";

/** Agents that guess, though they could have asked. */
export const findUnasked: Detector = (scene) =>
  scene.story.stints.flatMap((stint) => {
    const sentence = saidIn(answerOf(stint), "guesses");
    const way = sentence === undefined ? undefined : wayToAsk(stint, scene);
    if (sentence === undefined || way === undefined) return [];
    return [
      {
        code: "did-not-ask",
        severity: "medium",
        confidence: "likely",
        title: `${stint.speaker} guessed instead of asking`,
        agents: [stint.speaker],
        evidence: [evidence(stint.end ?? stint.started, sentence)],
        why: `It could have ${way.could}, and did not.`,
        where: agentKey(stint, "system_prompt"),
        advice: way.advice,
      },
    ];
  });

/** How an agent could have asked, where it could and did not. */
function wayToAsk(
  stint: Stint,
  { crewAt, agentOf }: Scene,
): { readonly could: string; readonly advice: string } | undefined {
  const crew = crewAt(stint.crew);
  const isChatty = (id: string) => crew?.agents.get(id)?.chat === true;
  const child = stint.tools
    .flatMap(({ called, end }) => (end?.type === "tool.completed" ? [called.data.tool.replace(/^agent__/, "")] : []))
    .concat(stint.advice.length === 0 ? [] : (agentOf(stint)?.advisors ?? []))
    .find(isChatty);
  const hasAsked = stint.tools.some(({ called }) => called.data.tool === "agent__ask_clarification");
  if (child !== undefined && !hasAsked)
    return {
      could: `asked ${child} with agent__ask_clarification`,
      advice: `say in its prompt to ask ${child} about what is unclear`,
    };
  const pause = crew?.bindings.get(stint.agent)?.find(({ move }) => move.type === "pause");
  if (pause === undefined || !stint.isOnLine || stint.signals.some(({ data }) => data.signal === pause.signal))
    return undefined;
  return {
    could: `asked a human with ${pause.signal}`,
    advice: `say in its prompt to emit ${pause.signal} when something is unclear`,
  };
}
