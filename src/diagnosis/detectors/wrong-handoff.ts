import type { BatonEvent } from "../../vocabulary/events.ts";
import type { CrewKey, Found } from "../finding.ts";
import { saidIn } from "../phrases.ts";
import { agentKey, crewKey, type Detector, endOf, evidence, type Scene } from "../scene.ts";
import { answerOf, type Invocation } from "../story.ts";

/** Work that was given to the wrong agent: it says so, or there is no such agent, or the choice was hardly one. */
export const findWrongHandoffs: Detector = (scene) => [
  ...scene.story.invocations.flatMap((invocation) => refusedBy(invocation, scene)),
  ...scene.story.events.flatMap((event) => badChoice(event) ?? lowConfidence(event) ?? []),
];

function refusedBy(invocation: Invocation, scene: Scene): Found[] {
  const { cameBy, left } = invocation;
  const caller = cameBy === undefined ? callerOf(invocation, scene) : undefined;
  const via = cameBy?.data.via;
  const isChosen =
    via === "signal" || via === "router" || via === "transfer" || via === "handoff" || caller !== undefined;
  const sentence = isChosen ? saidIn(answerOf(invocation), "refuses") : undefined;
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
        evidence(
          cameBy ?? invocation.started,
          cameBy === undefined ? invocation.input : `${from} → ${invocation.agent} (${cameBy.data.reason})`,
        ),
        endOf(invocation, sentence),
      ],
      why: `${invocation.agent} declines what ${from} gave it ${what}.`,
      where: whereOf(invocation, caller),
      advice: `say in the description of ${invocation.agent} what it is for, and in the prompt of ${from} when to choose it`,
    },
  ];
}

/** Who called it as a sub-agent. */
function callerOf({ path }: Invocation, { story }: Scene): Invocation | undefined {
  return story.byPath.get(/^(.*)\/t\d+\/c\d+\/a$/.exec(path)?.[1] ?? "-");
}

function whereOf({ cameBy, crew, agent }: Invocation, caller: Invocation | undefined): CrewKey {
  if (caller !== undefined) return agentKey({ crew, agent }, "description");
  const from = { crew, agent: cameBy?.data.from ?? "" };
  switch (cameBy?.data.via) {
    case "router":
      return agentKey(from, "router", "destinations");
    case "transfer":
      return agentKey(from, "collaborations");
    case "handoff":
      return agentKey(from, "handoff");
    default:
      return crewKey(crew, "routing", "signals", from.agent);
  }
}

/** A router or a transfer named somebody who may not be chosen. */
function badChoice(event: BatonEvent): Found[] | undefined {
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
      evidence: [evidence(event, message)],
      why: "The choice was refused, and cost another turn.",
      where: isRouter ? agentKey(event, "router", "destinations") : agentKey(event, "collaborations"),
      advice: isRouter
        ? "name its destinations, and what each is for, in its prompt"
        : "name in its prompt to whom it may transfer, and when",
    },
  ];
}

/** The entry was picked by classification, which was not sure. */
function lowConfidence(event: BatonEvent): Found[] | undefined {
  if (event.type !== "classification" || event.data.low_confidence !== true) return undefined;
  const { confidence } = event.data;
  return [
    {
      code: "wrong-handoff",
      severity: "low",
      confidence: "certain",
      title: "no agent fitted the request well",
      agents: [],
      evidence: [evidence(event, `confidence ${confidence}`)],
      why: `The confidence of the choice is ${confidence}, below 'min_confidence': the crew's first agent took it.`,
      where: crewKey(undefined, "settings", "min_confidence"),
      advice: "say in the agents' descriptions and specialties what they are for, or add one for such requests",
    },
  ];
}
