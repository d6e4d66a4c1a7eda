import { findPhrase } from "../phrases.ts";
import { type Detector, locateAgentKey, quoteEnd, type Scene } from "../scene.ts";
import { getAnswer, type Invocation } from "../story.ts";

/** Finds agents that guess although they could have asked. */
export const findUnasked: Detector = (scene) =>
  scene.story.invocations.flatMap((invocation) => {
    const sentence = findPhrase(getAnswer(invocation), "guesses");
    const way = sentence === undefined ? undefined : findWayToAsk(invocation, scene);
    if (sentence === undefined || way === undefined) return [];
    return [
      {
        code: "did-not-ask",
        severity: "medium",
        confidence: "likely",
        title: `${invocation.speaker} guessed instead of asking`,
        agents: [invocation.speaker],
        evidence: [quoteEnd(invocation, sentence)],
        why: `It could have ${way.could}, and did not.`,
        where: locateAgentKey(invocation, "system_prompt"),
        advice: way.advice,
      },
    ];
  });

/** How the agent could have asked, if it could and did not. */
function findWayToAsk(
  invocation: Invocation,
  { findCrew, findAgent }: Scene,
): { readonly could: string; readonly advice: string } | undefined {
  const crew = findCrew(invocation.crew);
  const isChatty = (id: string) => crew?.agents.get(id)?.chat === true;
  const child = invocation.tools
    .flatMap(({ called, end }) => (end?.type === "tool.completed" ? [called.data.tool.replace(/^agent__/, "")] : []))
    .concat(invocation.advice.length === 0 ? [] : (findAgent(invocation)?.advisors ?? []))
    .find(isChatty);
  const hasAsked = invocation.tools.some(({ called }) => called.data.tool === "agent__ask_clarification");
  if (child !== undefined && !hasAsked)
    return {
      could: `asked ${child} with agent__ask_clarification`,
      advice: `say in its prompt to ask ${child} about what is unclear`,
    };
  const pause = crew?.bindings.get(invocation.agent)?.find(({ move }) => move.type === "pause");
  if (
    pause === undefined ||
    !invocation.isOnLine ||
    invocation.signals.some(({ data }) => data.signal === pause.signal)
  )
    return undefined;
  return {
    could: `asked a human with ${pause.signal}`,
    advice: `say in its prompt to emit ${pause.signal} when something is unclear`,
  };
}
