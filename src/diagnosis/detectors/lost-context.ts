import type { EventOf } from "../../vocabulary/events.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import type { CrewKey, Found } from "../finding.ts";
import { findPhrase, findPhrases } from "../phrases.ts";
import { type Detector, locateAgentKey, locateCrewKey, quoteEnd, quoteEvent, type Scene } from "../scene.ts";
import { sharesHistory } from "../shared-history.ts";
import { getAnswer, type Invocation } from "../story.ts";
import { findShared, findTopics } from "../words.ts";

/** How many invocations the search goes back. */
const BACK = 20;

/** Finds agents that ask for something that was said but did not reach them: it was trimmed, cut, or not handed over. */
export const findLostContext: Detector = (scene) => {
  const trimmed = new Map<string, EventOf<"context.trimmed">>();
  for (const event of scene.story.events)
    if (event.type === "context.trimmed") trimmed.set(event.path.slice(0, event.path.lastIndexOf("/")), event);
  return scene.story.invocations.flatMap((invocation) => {
    const sentences = findPhrases(getAnswer(invocation), "misses");
    if (sentences.length === 0) return [];
    const asked = findTopics(sentences.join(" "));
    return (
      findLostByTrimming(invocation, asked, trimmed.get(invocation.path), scene) ??
      findLostByCutting(invocation, asked, scene) ??
      findNotHandedOver(invocation, asked, scene) ??
      []
    );
  });
};

function findLostByTrimming(
  invocation: Invocation,
  asked: ReadonlySet<string>,
  trimmed: EventOf<"context.trimmed"> | undefined,
  { story, findCrew }: Scene,
): Found[] | undefined {
  if (trimmed === undefined) return undefined;
  const line = story.lines.get(invocation.path.slice(0, Math.max(0, invocation.path.lastIndexOf("/")))) ?? [];
  const index = line.indexOf(invocation);
  const before = line.slice(Math.max(0, index - BACK), Math.max(0, index));
  const said = [
    invocation.original,
    ...before.flatMap((each) => [...listHeard(each), getAnswer(each)]),
    ...listHeard(invocation),
  ];
  const known = new Set(said.flatMap((text) => [...findTopics(text)]));
  const lost = findShared(asked, known);
  if (lost.length === 0) return undefined;
  const window = findCrew(invocation.crew)?.settings.maxContextWindow;
  return [
    {
      ...describeLoss(invocation, "asks for what was trimmed out of its context", lost),
      evidence: [
        quoteEvent(trimmed, `${formatAmount(trimmed.data.messages, "earlier message")} trimmed`),
        quoteQuestion(invocation),
      ],
      why: `${formatAmount(trimmed.data.messages, "message")} no longer fitted${window === undefined ? "" : ` into ${window} tokens`}, and it asks about ${joinTopics(lost)}, which had been said.`,
      where: locateCrewKey(invocation.crew, "settings", "max_context_window"),
      advice: "raise 'max_context_window', lower 'context_trim_percent', or let a 'summarizer' pass on what matters",
    },
  ];
}

/** What others and its tools told an agent. */
function listHeard({ input, tools }: Invocation): string[] {
  return [input, ...tools.flatMap(({ end }) => (end?.type === "tool.completed" ? [end.data.result] : []))];
}

/** A long tool output loses its middle. */
function findLostByCutting(
  invocation: Invocation,
  asked: ReadonlySet<string>,
  { findCrew }: Scene,
): Found[] | undefined {
  const crew = findCrew(invocation.crew);
  const own = crew?.agents.get(invocation.agent)?.limits.maxToolOutputChars;
  const limit = own ?? crew?.settings.maxToolOutputChars ?? Number.POSITIVE_INFINITY;
  for (const { end } of invocation.tools) {
    if (end?.type !== "tool.completed" || end.data.result.length <= limit) continue;
    const { result, tool } = end.data;
    const half = Math.floor(limit / 2);
    const kept = findTopics(`${result.slice(0, half)} ${result.slice(-half)}`);
    const lost = findShared(asked, findTopics(result.slice(half, -half))).filter((topic) => !kept.has(topic));
    if (lost.length === 0) continue;
    return [
      {
        ...describeLoss(invocation, `misses what was cut out of ${tool}'s output`, lost),
        evidence: [quoteEvent(end, `${tool}: ${result.length} characters`), quoteQuestion(invocation)],
        why: `${tool} gave ${result.length} characters, of which it saw ${limit}; it asks about ${joinTopics(lost)}, which stood in the rest.`,
        where: locateCrewKey(invocation.crew, "settings", "max_tool_output_chars"),
        advice: `raise 'max_tool_output_chars', or let ${tool} give less`,
      },
    ];
  }
  return undefined;
}

/** The agent asks for something that the request or the previous answer said and its own input does not contain. */
function findNotHandedOver(invocation: Invocation, asked: ReadonlySet<string>, scene: Scene): Found[] | undefined {
  if (sharesHistory(invocation, scene)) return undefined;
  const given = findTopics(invocation.input);
  const missing = [...asked].filter((topic) => !given.has(topic));
  const before = scene.story.byPath.get(invocation.cameBy?.path ?? "");
  const sources = [invocation.original, ...(before === undefined ? [] : [before.input, getAnswer(before)])];
  const known = new Set(sources.flatMap((text) => [...findTopics(text)]));
  const lost = missing.filter((topic) => known.has(topic));
  if (lost.length === 0) return undefined;
  const { where, advice } = adviseRemedy(invocation, before);
  return [
    {
      ...describeLoss(invocation, "asks for what was said and not handed over to it", lost),
      evidence: [
        ...(invocation.cameBy === undefined
          ? []
          : [quoteEvent(invocation.cameBy, `${invocation.cameBy.data.from} → ${invocation.cameBy.data.to}`)]),
        quoteEvent(invocation.started, invocation.input),
        quoteQuestion(invocation),
      ],
      why: `It asks about ${joinTopics(lost)}: that was said before, but is not in the ${invocation.input.length} characters that it was given.`,
      where,
      advice,
    },
  ];
}

function adviseRemedy(
  invocation: Invocation,
  before: Invocation | undefined,
): { readonly where: CrewKey; readonly advice: string } {
  const via = invocation.cameBy?.data.via;
  if (via === "handoff" && before !== undefined)
    return {
      where: locateAgentKey(before, "handoff", "include"),
      advice: "add 'include: [response, original_request]' to the handoff",
    };
  if (via === "transfer")
    return {
      where: locateCrewKey(invocation.crew, "settings", "handoff_context_chars"),
      advice: "raise 'handoff_context_chars', and say in the prompt what belongs into the transfer's context",
    };
  if (via === undefined && before === undefined)
    return {
      where: locateAgentKey(invocation, "system_prompt"),
      advice: "say in the caller's prompt what it has to pass on with the call",
    };
  return {
    where: locateCrewKey(invocation.crew, "settings", "history"),
    advice: "set 'history: full', or have the message say more",
  };
}

function describeLoss(invocation: Invocation, what: string, lost: readonly string[]) {
  return {
    code: "lost-context",
    severity: "medium",
    confidence: lost.length > 1 ? "certain" : "likely",
    title: `${invocation.speaker} ${what}`,
    agents: [invocation.speaker],
  } as const;
}

function quoteQuestion(invocation: Invocation) {
  return quoteEnd(invocation, findPhrase(getAnswer(invocation), "misses") ?? "");
}

function joinTopics(topics: readonly string[]): string {
  return topics
    .slice(0, 4)
    .map((topic) => `'${topic}'`)
    .join(", ");
}
