import type { BatonEvent } from "../../vocabulary/events.ts";
import type { CrewKey, Found } from "../finding.ts";
import { findPhrase } from "../phrases.ts";
import { type Detector, locateAgentKey, locateCrewKey, quoteEnd, quoteEvent, type Scene } from "../scene.ts";
import { getAnswer, type Invocation } from "../story.ts";

/** Finds work that went to the wrong agent: it says so, it does not exist, or the choice was unsure. */
export const findWrongHandoffs: Detector = (scene) => [
  ...scene.story.invocations.flatMap((invocation) => findRefused(invocation, scene)),
  ...scene.story.events.flatMap((event) => findBadChoice(event) ?? findLowConfidence(event) ?? []),
];

function findRefused(invocation: Invocation, scene: Scene): Found[] {
  const { cameBy, left } = invocation;
  const caller = cameBy === undefined ? findCaller(invocation, scene) : undefined;
  const via = cameBy?.data.via;
  const isChosen =
    via === "signal" || via === "router" || via === "transfer" || via === "handoff" || caller !== undefined;
  const sentence = isChosen ? findPhrase(getAnswer(invocation), "refuses") : undefined;
  const from = cameBy?.data.from ?? caller?.speaker;
  if (sentence === undefined || from === undefined) return [];
  const isBack = left?.type === "handoff" && left.data.to === from;
  const next = left?.type === "handoff" ? left.data.to : undefined;
  const what = isBack
    ? "and hands it straight back"
    : next === undefined
      ? "and nobody else got it"
      : `and passes it to ${next}`;
  return [
    {
      code: "wrong-handoff",
      severity: next === undefined && caller === undefined ? "high" : "medium",
      confidence: "likely",
      title: `${from} gave the work to ${invocation.agent}, who says that it is not its own`,
      agents: [from, invocation.speaker],
      evidence: [
        quoteEvent(
          cameBy ?? invocation.started,
          cameBy === undefined ? invocation.input : `${from} → ${invocation.agent} (${cameBy.data.reason})`,
        ),
        quoteEnd(invocation, sentence),
      ],
      why: `${invocation.agent} declines what ${from} gave it ${what}.`,
      where: locateCause(invocation, caller),
      advice: `say in the description of ${invocation.agent} what it is for, and in the prompt of ${from} when to choose it`,
    },
  ];
}

/** The agent that called this one as a sub-agent. */
function findCaller({ path }: Invocation, { story }: Scene): Invocation | undefined {
  return story.byPath.get(/^(.*)\/t\d+\/c\d+\/a$/.exec(path)?.[1] ?? "-");
}

function locateCause({ cameBy, crew, agent }: Invocation, caller: Invocation | undefined): CrewKey {
  if (caller !== undefined) return locateAgentKey({ crew, agent }, "description");
  const from = { crew, agent: cameBy?.data.from ?? "" };
  switch (cameBy?.data.via) {
    case "router":
      return locateAgentKey(from, "router", "destinations");
    case "transfer":
      return locateAgentKey(from, "collaborations");
    case "handoff":
      return locateAgentKey(from, "handoff");
    default:
      return locateCrewKey(crew, "routing", "signals", from.agent);
  }
}

/** A router or a transfer named an agent that it may not choose. */
function findBadChoice(event: BatonEvent): Found[] | undefined {
  if (event.type !== "tool.failed") return undefined;
  const { tool, message } = event.data;
  const isRouter = tool === "handoff-to" && message.startsWith("there is no destination");
  if (!isRouter && !tool.startsWith("transfer_to_")) return undefined;
  const { agent = "" } = event;
  return [
    {
      code: "wrong-handoff",
      severity: "low",
      confidence: "certain",
      title: `${agent} tried to hand off where it may not`,
      agents: [agent],
      evidence: [quoteEvent(event, message)],
      why: "The choice was refused, and cost another turn.",
      where: isRouter ? locateAgentKey(event, "router", "destinations") : locateAgentKey(event, "collaborations"),
      advice: isRouter
        ? "name its destinations, and what each is for, in its prompt"
        : "name in its prompt to whom it may transfer, and when",
    },
  ];
}

/** Classification chose the first agent with low confidence. */
function findLowConfidence(event: BatonEvent): Found[] | undefined {
  if (event.type !== "classification" || event.data.low_confidence !== true) return undefined;
  const { confidence } = event.data;
  return [
    {
      code: "wrong-handoff",
      severity: "low",
      confidence: "certain",
      title: "no agent fitted the request well",
      agents: [],
      evidence: [quoteEvent(event, `confidence ${confidence}`)],
      why: `The confidence of the choice is ${confidence}, below 'min_confidence': the crew's first agent took it.`,
      where: locateCrewKey(undefined, "settings", "min_confidence"),
      advice: "say in the agents' descriptions and specialties what they are for, or add one for such requests",
    },
  ];
}
