import type { BatonEvent } from "../../events.ts";
import type { Evidence, Found } from "../finding.ts";
import { allSaidIn } from "../phrases.ts";
import { agentKey, type Detector, evidence, type Scene } from "../scene.ts";
import { sharesHistory } from "../shared-history.ts";
import { answerOf, isBefore, type Stint } from "../story.ts";
import { rememberTopics, sharedBetween, topicsOf } from "../words.ts";

/** As far back as what an agent found out is looked for. */
const BACK = 20;

/** An agent asks for what another had found out and left out of its answer. */
export const findWithheld: Detector = (scene) => {
  const { stints } = scene.story;
  const remember = rememberTopics();
  return stints.flatMap((stint, index) => {
    const sentence = allSaidIn(answerOf(stint), "misses").join(" ");
    if (sentence === "") return [];
    const given = topicsOf(stint.input);
    const asked = new Set([...topicsOf(sentence)].filter((topic) => !given.has(topic)));
    for (const other of nearTo(index, stints)) {
      if (other.speaker === stint.speaker || !hidesFrom(stint, other, scene)) continue;
      const told = remember(other, answerOf(other));
      for (const { event, text } of findingsOf(other)) {
        const kept = sharedBetween(asked, remember(event, text)).filter((topic) => !told.has(topic));
        if (kept.length > 0 && kept.length >= Math.min(2, asked.size))
          return [
            withheld(other, stint, [evidence(event, text), said(other, answerOf(other)), said(stint, sentence)], kept),
          ];
      }
    }
    return [];
  });
};

function said(stint: Stint, text: string): Evidence {
  return evidence(stint.end ?? stint.started, text);
}

function withheld(by: Stint, from: Stint, evidence: readonly Evidence[], kept: readonly string[]): Found {
  const topics = kept.slice(0, 4).map((topic) => `'${topic}'`);
  return {
    code: "withheld",
    severity: "medium",
    confidence: "likely",
    title: `${by.speaker} knew what ${from.speaker} asks for, and did not say it`,
    agents: [by.speaker, from.speaker],
    evidence,
    why: `${from.speaker} asks about ${topics.join(", ")}: ${by.speaker} had been told, and its answer of ${answerOf(by).length} characters leaves it out.`,
    where: agentKey(by, "system_prompt"),
    advice: `say in the prompt of ${by.agent} what those after it need to know`,
  };
}

/** Those just before a stint, the nearest first; and for one that calls others, those it called. */
function nearTo(index: number, stints: readonly Stint[]): Stint[] {
  const stint = stints[index];
  const before = stints.slice(Math.max(0, index - BACK), index).reverse();
  const called =
    stint === undefined
      ? []
      : stints.slice(index + 1, index + 1 + BACK).filter(({ path }) => path.startsWith(`${stint.path}/`));
  return [...called, ...before];
}

/** Whether one could know what another found out only by being told. */
function hidesFrom(stint: Stint, other: Stint, scene: Scene): boolean {
  if (other.path.startsWith(`${stint.path}/`)) return other.end !== undefined;
  if (!isBefore(other, stint)) return false;
  return !other.isOnLine || other.crew !== stint.crew || !sharesHistory(stint, scene);
}

/** What an agent was told by its tools, advisors and sub-agents. */
function findingsOf({ tools, advice, started }: Stint): { readonly event: BatonEvent; readonly text: string }[] {
  return [
    ...tools.flatMap(({ end }) => (end?.type === "tool.completed" ? [{ event: end, text: end.data.result }] : [])),
    ...(advice.length === 0 ? [] : [{ event: started, text: advice.map(({ text }) => text).join("\n") }]),
  ];
}
