import { saidIn } from "../phrases.ts";
import { agentKey, type Detector, endOf, type Scene } from "../scene.ts";
import { answerOf, type Stretch } from "../story.ts";

/** Agents that guess, though they could have asked. */
export const findUnasked: Detector = (scene) =>
  scene.story.stretches.flatMap((stretch) => {
    const sentence = saidIn(answerOf(stretch), "guesses");
    const way = sentence === undefined ? undefined : wayToAsk(stretch, scene);
    if (sentence === undefined || way === undefined) return [];
    return [
      {
        code: "did-not-ask",
        severity: "medium",
        confidence: "likely",
        title: `${stretch.speaker} guessed instead of asking`,
        agents: [stretch.speaker],
        evidence: [endOf(stretch, sentence)],
        why: `It could have ${way.could}, and did not.`,
        where: agentKey(stretch, "system_prompt"),
        advice: way.advice,
      },
    ];
  });

/** How an agent could have asked, where it could and did not. */
function wayToAsk(
  stretch: Stretch,
  { crewAt, agentOf }: Scene,
): { readonly could: string; readonly advice: string } | undefined {
  const crew = crewAt(stretch.crew);
  const isChatty = (id: string) => crew?.agents.get(id)?.chat === true;
  const child = stretch.tools
    .flatMap(({ called, end }) => (end?.type === "tool.completed" ? [called.data.tool.replace(/^agent__/, "")] : []))
    .concat(stretch.advice.length === 0 ? [] : (agentOf(stretch)?.advisors ?? []))
    .find(isChatty);
  const hasAsked = stretch.tools.some(({ called }) => called.data.tool === "agent__ask_clarification");
  if (child !== undefined && !hasAsked)
    return {
      could: `asked ${child} with agent__ask_clarification`,
      advice: `say in its prompt to ask ${child} about what is unclear`,
    };
  const pause = crew?.bindings.get(stretch.agent)?.find(({ move }) => move.type === "pause");
  if (pause === undefined || !stretch.isOnLine || stretch.signals.some(({ data }) => data.signal === pause.signal))
    return undefined;
  return {
    could: `asked a human with ${pause.signal}`,
    advice: `say in its prompt to emit ${pause.signal} when something is unclear`,
  };
}
