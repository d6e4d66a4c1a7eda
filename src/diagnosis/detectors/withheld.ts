import type { BatonEvent } from "../../vocabulary/events.ts";
import type { Evidence, Found } from "../finding.ts";
import { findPhrases } from "../phrases.ts";
import { type Detector, locateAgentKey, quoteEnd, quoteEvent, type Scene } from "../scene.ts";
import { sharesHistory } from "../shared-history.ts";
import { getAnswer, type Invocation, isBefore } from "../story.ts";
import { createTopicFinder, findShared, findTopics } from "../words.ts";

/** How many invocations the search goes back. */
const BACK = 20;

/** Finds agents that ask for something that another agent found out but left out of its answer. */
export const findWithheld: Detector = (scene) => {
  const { invocations } = scene.story;
  const remember = createTopicFinder();
  return invocations.flatMap((invocation, index) => {
    const sentence = findPhrases(getAnswer(invocation), "misses").join(" ");
    if (sentence === "") return [];
    const given = findTopics(invocation.input);
    const asked = new Set([...findTopics(sentence)].filter((topic) => !given.has(topic)));
    for (const other of listNeighbours(index, invocations)) {
      if (other.speaker === invocation.speaker || !hidesFrom(invocation, other, scene)) continue;
      const told = remember(other, getAnswer(other));
      for (const { event, text } of listFacts(other)) {
        const kept = findShared(asked, remember(event, text)).filter((topic) => !told.has(topic));
        if (kept.length > 0 && kept.length >= Math.min(2, asked.size))
          return [
            describeWithheld(
              other,
              invocation,
              [quoteEvent(event, text), quoteEnd(other), quoteEnd(invocation, sentence)],
              kept,
            ),
          ];
      }
    }
    return [];
  });
};

function describeWithheld(
  by: Invocation,
  from: Invocation,
  evidence: readonly Evidence[],
  kept: readonly string[],
): Found {
  const topics = kept.slice(0, 4).map((topic) => `'${topic}'`);
  return {
    code: "withheld",
    severity: "medium",
    confidence: "likely",
    title: `${by.speaker} knew what ${from.speaker} asks for, and did not say it`,
    agents: [by.speaker, from.speaker],
    evidence,
    why: `${from.speaker} asks about ${topics.join(", ")}: ${by.speaker} had been told, and its answer of ${getAnswer(by).length} characters leaves it out.`,
    where: locateAgentKey(by, "system_prompt"),
    advice: `say in the prompt of ${by.agent} what those after it need to know`,
  };
}

/** The invocations just before this one, nearest first; for an agent that calls others, those that it called. */
function listNeighbours(index: number, invocations: readonly Invocation[]): Invocation[] {
  const invocation = invocations[index];
  const before = invocations.slice(Math.max(0, index - BACK), index).reverse();
  const called =
    invocation === undefined
      ? []
      : invocations.slice(index + 1, index + 1 + BACK).filter(({ path }) => path.startsWith(`${invocation.path}/`));
  return [...called, ...before];
}

/** Whether an agent could know another's facts only by being told. */
function hidesFrom(invocation: Invocation, other: Invocation, scene: Scene): boolean {
  if (other.path.startsWith(`${invocation.path}/`)) return other.end !== undefined;
  if (!isBefore(other, invocation)) return false;
  return !other.isOnLine || other.crew !== invocation.crew || !sharesHistory(invocation, scene);
}

/** What tools, advisors and sub-agents told an agent. */
function listFacts({ tools, advice, started }: Invocation): { readonly event: BatonEvent; readonly text: string }[] {
  return [
    ...tools.flatMap(({ end }) => (end?.type === "tool.completed" ? [{ event: end, text: end.data.result }] : [])),
    ...(advice.length === 0 ? [] : [{ event: started, text: advice.map(({ text }) => text).join("\n") }]),
  ];
}
