import { saidIn } from "../phrases.ts";
import { agentKey, type Detector, endOf, type Scene } from "../scene.ts";
import { answerOf, type Invocation } from "../story.ts";

/** Agents that guess, though they could have asked. */
export const findUnasked: Detector = (scene) =>
  scene.story.invocations.flatMap((invocation) => {
    const sentence = saidIn(answerOf(invocation), "guesses");
    const way = sentence === undefined ? undefined : wayToAsk(invocation, scene);
    if (sentence === undefined || way === undefined) return [];
    return [
      {
        code: "did-not-ask",
        severity: "medium",
        confidence: "likely",
        title: `${invocation.speaker} guessed instead of asking`,
        agents: [invocation.speaker],
        evidence: [endOf(invocation, sentence)],
        why: `It could have ${way.could}, and did not.`,
        where: agentKey(invocation, "system_prompt"),
        advice: way.advice,
      },
    ];
  });

/** How an agent could have asked, where it could and did not. */
function wayToAsk(
  invocation: Invocation,
  { crewAt, agentOf }: Scene,
): { readonly could: string; readonly advice: string } | undefined {
  const crew = crewAt(invocation.crew);
  const isChatty = (id: string) => crew?.agents.get(id)?.chat === true;
  const child = invocation.tools
    .flatMap(({ called, end }) => (end?.type === "tool.completed" ? [called.data.tool.replace(/^agent__/, "")] : []))
    .concat(invocation.advice.length === 0 ? [] : (agentOf(invocation)?.advisors ?? []))
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
