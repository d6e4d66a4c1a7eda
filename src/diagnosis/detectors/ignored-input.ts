import type { BatonEvent } from "../../vocabulary/events.ts";
import type { Found } from "../finding.ts";
import { agentKey, type Detector, endOf, evidence, type Scene } from "../scene.ts";
import { answerOf, type Stretch } from "../story.ts";
import { isEnglish, sayTheSame, sharedBetween, topicsOf } from "../words.ts";

/** So many words that tell what a text is about; fewer prove nothing. */
const ENOUGH = 8;

/** Agents in whose answer nothing is left of what others told them. */
export const findIgnoredInput: Detector = (scene) => [
  ...ignoredHumans(scene),
  ...scene.story.stretches.flatMap((stretch) => ignoredBy(stretch)),
];

/** What was said to an agent, by whom. */
interface Heard {
  readonly from: string;
  readonly text: string;
  readonly event: BatonEvent;
}

function ignoredBy(stretch: Stretch): Found[] {
  const answer = answerOf(stretch);
  const used = topicsOf(usesOf(stretch));
  if (topicsOf(answer).size < ENOUGH || !isEnglish(answer, 3)) return [];
  const asked = topicsOf(stretch.original);
  return heardBy(stretch).flatMap(({ from, text, event }) => {
    const own = [...topicsOf(text)].filter((topic) => !asked.has(topic));
    const isNamed = answer.toLowerCase().includes(from.toLowerCase());
    if (own.length < ENOUGH || isNamed || !isEnglish(text, 1) || sharedBetween(new Set(own), used).length > 0)
      return [];
    return [
      {
        code: "ignored-input",
        severity: "medium",
        confidence: "likely",
        title: `${stretch.speaker} made nothing of what ${from} told it`,
        agents: [stretch.speaker],
        evidence: [evidence(event, text), endOf(stretch, answer)],
        why: `None of the ${own.length} words that tell what ${from} said is in its answer, nor in what it called after that.`,
        where: agentKey(stretch, "system_prompt"),
        advice: `say in its prompt what it is to do with what ${from} gives it`,
      },
    ];
  });
}

/** All that an agent said and called with. */
function usesOf(stretch: Stretch): string {
  const said = stretch.replies.map(({ data }) => data.text);
  const called = stretch.tools.map(({ called }) => JSON.stringify(called.data.args));
  return [...said, ...called, answerOf(stretch)].join("\n");
}

function heardBy({ cameBy, input, started, advice, tools }: Stretch): Heard[] {
  const via = cameBy?.data.via;
  const isHandedOver = cameBy !== undefined && via !== "fallback" && advice.length === 0;
  return [
    ...(isHandedOver ? [{ from: cameBy.data.from, text: input, event: started }] : []),
    ...advice.flatMap(({ member, status, text }) =>
      status === "completed" ? [{ from: member, text, event: started }] : [],
    ),
    ...tools.flatMap(({ called, end }) =>
      end?.type === "tool.completed"
        ? [{ from: called.data.tool.replace(/^agent__/, ""), text: end.data.result, event: end }]
        : [],
    ),
  ];
}

/** A human said what to do otherwise, and got the same again. */
function ignoredHumans({ story }: Scene): Found[] {
  const last = new Map<string, Stretch>();
  const found: Found[] = [];
  const words = new Map<string | undefined, BatonEvent>();
  for (const event of story.events)
    if (event.type === "run.resumed" && (event.data.input ?? "") !== "") words.set(event.data.input, event);
  for (const stretch of story.stretches) {
    const before = last.get(stretch.speaker);
    last.set(stretch.speaker, stretch);
    const said = words.get(stretch.input);
    if (
      said === undefined ||
      before === undefined ||
      answerOf(stretch).trim() === "" ||
      !sayTheSame(answerOf(before), answerOf(stretch))
    )
      continue;
    found.push({
      code: "ignored-input",
      severity: "medium",
      confidence: "certain",
      title: `${stretch.speaker} answered a human with the same words again`,
      agents: [stretch.speaker],
      evidence: [endOf(before), evidence(said, stretch.input), endOf(stretch)],
      why: "It was told something by a human, and its answer is what it was before.",
      where: agentKey(stretch, "system_prompt"),
      advice: "say in its prompt that what a human says when asked goes before everything else",
    });
  }
  return found;
}
