import type { BatonEvent } from "../../vocabulary/events.ts";
import type { Found } from "../finding.ts";
import { type Detector, locateAgentKey, quoteEnd, quoteEvent, type Scene } from "../scene.ts";
import { getAnswer, type Invocation } from "../story.ts";
import { findShared, findTopics, isEnglish, sayTheSame } from "../words.ts";

/** With fewer words about a topic than this, nothing can be concluded. */
const ENOUGH = 8;

/** Finds agents whose answers contain nothing of what others told them. */
export const findIgnoredInput: Detector = (scene) => [
  ...findIgnoredHumans(scene),
  ...scene.story.invocations.flatMap((invocation) => findIgnored(invocation)),
];

/** What an agent was told, and by whom. */
interface Heard {
  readonly from: string;
  readonly text: string;
  readonly event: BatonEvent;
}

function findIgnored(invocation: Invocation): Found[] {
  const answer = getAnswer(invocation);
  const used = findTopics(listWhatWasUsed(invocation));
  if (findTopics(answer).size < ENOUGH || !isEnglish(answer, 3)) return [];
  const asked = findTopics(invocation.original);
  return listHeard(invocation).flatMap(({ from, text, event }) => {
    const own = [...findTopics(text)].filter((topic) => !asked.has(topic));
    const isNamed = answer.toLowerCase().includes(from.toLowerCase());
    if (own.length < ENOUGH || isNamed || !isEnglish(text, 1) || findShared(new Set(own), used).length > 0) return [];
    return [
      {
        code: "ignored-input",
        severity: "medium",
        confidence: "likely",
        title: `${invocation.speaker} made nothing of what ${from} told it`,
        agents: [invocation.speaker],
        evidence: [quoteEvent(event, text), quoteEnd(invocation, answer)],
        why: `None of the ${own.length} characteristic words of ${from}'s answer appears in its own answer or in its later calls.`,
        where: locateAgentKey(invocation, "system_prompt"),
        advice: `say in its prompt how to use the answer of ${from}`,
      },
    ];
  });
}

/** All text that an agent wrote, including the arguments of its calls. */
function listWhatWasUsed(invocation: Invocation): string {
  const said = invocation.replies.map(({ data }) => data.text);
  const called = invocation.tools.map(({ called }) => JSON.stringify(called.data.args));
  return [...said, ...called, getAnswer(invocation)].join("\n");
}

function listHeard({ cameBy, input, started, advice, tools }: Invocation): Heard[] {
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

/** A human asked for something else and got the same again. */
function findIgnoredHumans({ story }: Scene): Found[] {
  const last = new Map<string, Invocation>();
  const found: Found[] = [];
  const words = new Map<string | undefined, BatonEvent>();
  for (const event of story.events)
    if (event.type === "run.resumed" && (event.data.input ?? "") !== "") words.set(event.data.input, event);
  for (const invocation of story.invocations) {
    const before = last.get(invocation.speaker);
    last.set(invocation.speaker, invocation);
    const said = words.get(invocation.input);
    if (
      said === undefined ||
      before === undefined ||
      getAnswer(invocation).trim() === "" ||
      !sayTheSame(getAnswer(before), getAnswer(invocation))
    )
      continue;
    found.push({
      code: "ignored-input",
      severity: "medium",
      confidence: "certain",
      title: `${invocation.speaker} answered a human with the same words again`,
      agents: [invocation.speaker],
      evidence: [quoteEnd(before), quoteEvent(said, invocation.input), quoteEnd(invocation)],
      why: "It was told something by a human, and its answer is what it was before.",
      where: locateAgentKey(invocation, "system_prompt"),
      advice: "say in its prompt that what a human says when asked goes before everything else",
    });
  }
  return found;
}
