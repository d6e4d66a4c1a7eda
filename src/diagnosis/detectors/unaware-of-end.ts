import type { EventOf } from "../../vocabulary/events.ts";
import { nameSpeaker } from "../../vocabulary/events.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import type { Found } from "../finding.ts";
import { type Detector, locateAgentKey, locateCrewKey, quoteEnd, quoteEvent, type Scene } from "../scene.ts";
import type { Invocation } from "../story.ts";

/** Finds runs that reached a limit: agents that did not stop, or a limit that is too low for the task. */
export const findUnawareOfEnd: Detector = (scene) =>
  scene.story.events.flatMap((event) => {
    if (event.type === "agent.failed")
      return event.data.code === "max_turns" ? [describeNeverAnswered(event, scene)] : [];
    if (event.type !== "run.completed" && event.type !== "crew.left") return [];
    const { stopReason } = event.data;
    const refused = stopReason === "max_handoffs" ? findRefusal(event, scene) : undefined;
    if (refused?.data.setting !== undefined)
      return event.type === "crew.left" ? [] : [describeUsedUpHandoffs(event, refused, scene)];
    return stopReason === "max_handoffs" || stopReason === "max_rounds" ? [describeStop(event, stopReason, scene)] : [];
  });

type End = EventOf<"run.completed"> | EventOf<"crew.left">;

/** The refused handoff that led to the end. */
function findRefusal({ seq = 0 }: End, { story }: Scene): EventOf<"handoff.refused"> | undefined {
  const before = story.events.filter((event) => event.type === "handoff.refused" && (event.seq ?? 0) < seq);
  return before.at(-1) as EventOf<"handoff.refused"> | undefined;
}

/** The limit of all crews together; the finding says who made the handoffs. */
function describeUsedUpHandoffs(event: End, refused: EventOf<"handoff.refused">, { story }: Scene): Found {
  const counts = new Map<string, number>();
  for (const { type, crew = "the run's own crew" } of story.events)
    if (type === "handoff") counts.set(crew, (counts.get(crew) ?? 0) + 1);
  const byCrew = [...counts].sort(([, a], [, b]) => b - a).map(([crew, count]) => `${count} by ${crew}`);
  const { limit, from } = refused.data;
  return {
    code: "limit-reached",
    severity: "high",
    confidence: "certain",
    agents: [nameSpeaker({ agent: from, crew: refused.crew })],
    title: "the handoffs of all crews together reached max_run_handoffs",
    evidence: [quoteEvent(refused, `${from} -> ${refused.data.to}`), quoteEvent(event, "stopped by max_run_handoffs")],
    why:
      limit === 0
        ? "None is allowed."
        : `${formatAmount(limit, "handoff was", "handoffs were")} made: ${byCrew.join(", ")}.`,
    where: locateCrewKey(undefined, "settings", "max_run_handoffs"),
    advice:
      "give the crew that makes most of them a lower 'max_handoffs'; raise 'max_run_handoffs' if the work needs them",
  };
}

function describeStop(event: End, limit: "max_handoffs" | "max_rounds", scene: Scene): Found {
  const crew = event.type === "crew.left" ? nameCrew(event) : undefined;
  const line = scene.story.lines.get(event.path) ?? [];
  const speakers = new Set(line.map(({ speaker }) => speaker));
  const common = {
    severity: "high",
    confidence: "certain",
    agents: [...speakers],
    evidence: [...line.slice(-3).map((invocation) => quoteEnd(invocation)), quoteEvent(event, `stopped by ${limit}`)],
  } as const;
  const value = scene.findCrew(crew)?.settings[limit === "max_handoffs" ? "maxHandoffs" : "maxRounds"];
  const where = locateCrewKey(crew, "settings", limit);
  if (speakers.size === line.length)
    return {
      ...common,
      code: "limit-reached",
      title: `${limit} ended ${crew === undefined ? "the run" : `sub-crew ${crew}`} on its way`,
      why: `${formatAmount(line.length, "agent")} spoke${line.length === 1 ? "" : ", none of them twice"}, and the next was not let in${value === undefined ? "" : `: ${limit} is ${value}`}.`,
      where,
      advice: `raise '${limit}'`,
    };
  const ending = listEndings(line, scene);
  const invocation = line.find(({ agent }) => ending.some((each) => each.agent === agent)) ?? line.at(-1);
  const [first] = ending;
  const signals = ending.map(({ agent, signal }) => `${signal} of ${agent}`).join(", ");
  return {
    ...common,
    code: "unaware-of-end",
    title: `nobody ended ${crew === undefined ? "the run" : `sub-crew ${crew}`}, so ${limit} did`,
    why: `${formatAmount(line.length, "answer")} of ${formatAmount(speakers.size, "agent")}${value === undefined ? "" : `, until ${limit} (${value}) was used up`}; ${
      ending.length === 0 ? "none of them has a signal that ends it" : `${signals} was never emitted`
    }.`,
    where:
      first === undefined || invocation === undefined
        ? locateCrewKey(crew, "routing", "signals", line[0]?.agent ?? "")
        : locateAgentKey(invocation, "system_prompt"),
    advice:
      first === undefined
        ? `bind a signal that ends the run, such as { signal: "[DONE]", target: "" }`
        : `say in the prompt when to emit ${first.signal}; raise '${limit}' only if the work was not done`,
  };
}

/** The signals that the agents could have ended the run with. */
function listEndings(line: readonly Invocation[], { findCrew }: Scene) {
  const agents = new Map(line.map((invocation) => [invocation.agent, invocation]));
  return [...agents].flatMap(([agent, { crew }]) =>
    (findCrew(crew)?.bindings.get(agent) ?? [])
      .filter(({ move }) => move.type === "terminate")
      .map(({ signal }) => ({ agent, signal })),
  );
}

function nameCrew({ crew, data }: EventOf<"crew.left">): string {
  return crew === undefined ? data.crew : `${crew}/${data.crew}`;
}

/** A session whose tool calls did not end. */
function describeNeverAnswered(event: EventOf<"agent.failed">, { story, findAgent }: Scene): Found {
  const invocation = story.byPath.get(event.path);
  const speaker = nameSpeaker(event);
  const calls = invocation?.tools ?? [];
  const turns = findAgent(event)?.limits.maxTurns;
  return {
    code: "unaware-of-end",
    severity: story.ending?.type === "run.failed" ? "high" : "medium",
    confidence: "certain",
    title: `${speaker} never answered`,
    agents: [speaker],
    evidence: [
      ...calls
        .slice(-3)
        .map(({ called }) => quoteEvent(called, `${called.data.tool} ${JSON.stringify(called.data.args)}`)),
      quoteEvent(event, event.data.message),
    ],
    why: `It made ${formatAmount(calls.length, "tool call")}${turns === undefined ? "" : ` in the ${formatAmount(turns, "turn")} that it has`}, and answered nothing.`,
    where: locateAgentKey(event, "max_turns"),
    advice: "say in its prompt when it knows enough to answer; raise 'max_turns' only if it was getting on",
  };
}
