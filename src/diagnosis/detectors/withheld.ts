import type { BatonEvent } from "../../events.ts";
import { allSaidIn } from "../phrases.ts";
import { agentKey, type Detector, evidence, type Scene } from "../scene.ts";
import { sharesHistory } from "../shared-history.ts";
import { answerOf, isBefore, type Stint } from "../story.ts";
import { sharedBetween, topicsOf } from "../words.ts";

/** As far back as what an agent found out is looked for. */
const BACK = 20;

/** An agent asks for what another had found out and left out of its answer. */
export const findWithheld: Detector = (scene) => {
  const { stints } = scene.story;
  return stints.flatMap((stint, index) => {
    const sentence = allSaidIn(answerOf(stint), "misses").join(" ");
    if (sentence === "") return [];
    const given = topicsOf(stint.input);
    const asked = new Set([...topicsOf(sentence)].filter((topic) => !given.has(topic)));
    const others = nearTo(index, stints).filter(
      (other) => other.speaker !== stint.speaker && hidesFrom(stint, other, scene),
    );
    for (const other of others) {
      const told = topicsOf(answerOf(other));
      for (const { event, text } of findingsOf(other)) {
        const kept = sharedBetween(asked, topicsOf(text)).filter((topic) => !told.has(topic));
        if (kept.length < Math.min(2, asked.size)) continue;
        return [
          {
            code: "withheld",
            severity: "medium",
            confidence: "likely",
            title: `${other.speaker} knew what ${stint.speaker} asks for, and did not say it`,
            agents: [other.speaker, stint.speaker],
            evidence: [
              evidence(event, text),
              evidence(other.end ?? other.started, answerOf(other)),
              evidence(stint.end ?? stint.started, sentence),
            ],
            why: `${stint.speaker} asks about ${kept
              .slice(0, 4)
              .map((topic) => `'${topic}'`)
              .join(
                ", ",
              )}: ${other.speaker} had been told, and its answer of ${answerOf(other).length} characters leaves it out.`,
            where: agentKey(other, "system_prompt"),
            advice: `say in the prompt of ${other.agent} what those after it need to know`,
          },
        ];
      }
    }
    return [];
  });
};

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
    ...advice.map(({ text }) => ({ event: started, text })),
  ];
}
