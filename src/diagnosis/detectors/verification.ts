import type { Agent, Crew } from "../../vocabulary/crew.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import type { Found } from "../finding.ts";
import { findPhrase } from "../phrases.ts";
import { type Detector, locateAgentKey, locateCrewKey, quoteEnd, quoteEvent } from "../scene.ts";
import { getAnswer, type Invocation } from "../story.ts";

const VERIFIES =
  /(?:^|[^\p{L}])(?:review|check|verif|validat|critic|critiqu|proofread|audit|tester|qa(?![\p{L}])|quality|inspect|approv|examin)/iu;
const FAILS =
  /\b[1-9]\d* (?:\w+ )?(?:fail(?:ed|ures?|ing)?|errors?|broken)\b|\bFAIL(?:ED|URE)?\b|\bexit (?:code|status) [1-9]|\bAssertionError\b|\bnot ok\b|"(?:ok|passed|valid|success)"\s*:\s*false/;

/** Finds runs that ended without asking the agent that verifies, and verifications that approved something broken. */
export const findBadVerification: Detector = (scene) => [
  ...scene.story.invocations.flatMap((invocation) => {
    const agent = scene.findAgent(invocation);
    return agent !== undefined && isVerifier(agent) ? findFalseApproval(invocation) : [];
  }),
  ...findMissingVerification(
    scene.story.lines.get("")?.at(-1),
    scene.story.ending,
    scene.findCrew(undefined),
    new Set(scene.story.invocations.map(({ agent }) => agent)),
  ),
];

function isVerifier({ id, role, description }: Agent): boolean {
  return VERIFIES.test(id) || VERIFIES.test(role ?? "") || VERIFIES.test((description ?? "").split(/[.,;]/)[0] ?? "");
}

function findFalseApproval(invocation: Invocation): Found[] {
  const answer = getAnswer(invocation);
  const approval = findPhrase(answer, "approves");
  if (approval === undefined || findPhrase(answer, "objects") !== undefined) return [];
  const failure = findSeenFailure(invocation);
  if (failure === undefined) return [];
  return [
    {
      code: "approved-in-spite",
      severity: "high",
      confidence: "likely",
      title: `${invocation.speaker} approved what had failed`,
      agents: [invocation.speaker],
      evidence: [quoteEvent(failure.event, failure.text), quoteEnd(invocation, approval)],
      why: "It was told of a failure, and its answer approves without a word about it.",
      where: locateAgentKey(invocation, "system_prompt"),
      advice: "say in its prompt that it may not approve while a check fails, and what to do then",
    },
  ];
}

/** A failure that the agent saw: its own last check failed, or it was told of one. */
function findSeenFailure({
  tools,
  input,
  started,
}: Invocation): { readonly event: BatonEvent; readonly text: string } | undefined {
  const last = new Map(tools.map(({ called, end }) => [called.data.tool, end]));
  for (const end of last.values()) {
    if (end?.type === "tool.failed" && !end.data.message.startsWith("there is no "))
      return { event: end, text: end.data.message };
    const failed = end?.type === "tool.completed" ? FAILS.exec(end.data.result.slice(0, 20_000)) : null;
    if (end !== undefined && failed !== null) return { event: end, text: quoteAround(end.data, failed.index) };
  }
  if (tools.length > 0) return undefined;
  const told = FAILS.exec(input.slice(0, 20_000));
  return told === null
    ? undefined
    : { event: started, text: input.slice(Math.max(0, told.index - 40), told.index + 80) };
}

function quoteAround(
  data: { readonly tool: string } & ({ readonly result: string } | { readonly message: string }),
  index: number,
): string {
  const text = "result" in data ? data.result : data.message;
  return `${data.tool}: ${text.slice(Math.max(0, index - 40), index + 80)}`;
}

/** The last agent could have passed its work to a verifier, but ended the run. */
function findMissingVerification(
  last: Invocation | undefined,
  ending: BatonEvent | undefined,
  crew: Crew | undefined,
  spoke: ReadonlySet<string>,
): Found[] {
  const isEnd = ending?.type === "run.completed" && !ending.data.stopReason.startsWith("max_");
  const agent = crew?.agents.get(last?.agent ?? "");
  if (!isEnd || last === undefined || crew === undefined || agent === undefined || isVerifier(agent)) return [];
  for (const { id, how, keys } of listReachableAgents(agent, crew)) {
    const checker = crew.agents.get(id);
    if (checker === undefined || spoke.has(id) || !isVerifier(checker)) continue;
    return [
      {
        code: "not-verified",
        severity: "medium",
        confidence: "likely",
        title: `${id} is there to check, and was never asked`,
        agents: [agent.id, id],
        evidence: [quoteEnd(last), quoteEvent(ending, `ended by ${ending.data.signal ?? ending.data.stopReason}`)],
        why: `${agent.id} could have passed its work to ${id} (${how}), and ended the run with it.`,
        where: keys,
        advice: `let what ${agent.id} does lead to ${id} before the run can end`,
      },
    ];
  }
  return [];
}

/** The agents that this one could have turned to: with a signal, or by calling them. */
function listReachableAgents(agent: Agent, crew: Crew) {
  const bindings = crew.bindings.get(agent.id) ?? [];
  return [
    ...bindings.flatMap(({ signal, move }, index) => {
      const keys = locateCrewKey(undefined, "routing", "signals", agent.id, index);
      if (move.type === "route") return [{ id: move.target, how: signal, keys }];
      const group = move.type === "parallel" ? (crew.groups.get(move.group)?.agents ?? []) : [];
      return group.map((id) => ({ id, how: signal, keys }));
    }),
    ...agent.subAgents.map((id) => ({
      id,
      how: `agent__${id}`,
      keys: locateAgentKey({ crew: undefined, agent: agent.id }, "agents"),
    })),
    ...(agent.handoff === undefined
      ? []
      : [
          {
            id: agent.handoff.to,
            how: "its handoff",
            keys: locateAgentKey({ crew: undefined, agent: agent.id }, "handoff"),
          },
        ]),
  ];
}
