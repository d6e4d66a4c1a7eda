import type { Message } from "../vocabulary/messages.ts";
import { isBlank } from "../vocabulary/wording.ts";
import type { Asked, Question } from "./agent-call.ts";
import type { Baton } from "./baton.ts";
import type { CrewRun } from "./crew-run.ts";
import { findAgent } from "./crew-run.ts";
import { findLastWords, givenTo } from "./given-to.ts";
import type { DeferredHandoff } from "./move.ts";
import type { Spoken } from "./patterns/handoff.ts";

/** How an agent ended, as its patterns see it. */
export function readSpoken(
  { agent, original }: Pick<Question, "agent" | "original">,
  asked: Asked,
  deferred: readonly DeferredHandoff[],
  { world: { run } }: CrewRun,
): Spoken {
  const { turns } = asked;
  const { costUsd } = run;
  if (asked.type === "failed") {
    const text = `Agent \`${agent.id}\` failed and gave no answer. Reason: ${asked.failure.message}`;
    return { agent, original, deferred, text, facts: { text: "", signals: [], status: "failed", turns, costUsd } };
  }
  const { text, found, choice, transfers, heard } = asked;
  const work = transfers && (isBlank(text) ? remarksIn(asked.traffic) : text);
  const signals = found.map(({ signal }) => signal.name);
  return {
    agent,
    original,
    deferred,
    text,
    choice,
    transfers,
    work,
    heard,
    facts: { text, signals, status: "completed", turns, costUsd },
  };
}

/** The same for the agent that holds the baton. */
export function readSpokenWithBaton(crewRun: CrewRun, baton: Baton, asked: Asked): Spoken {
  const { original } = crewRun;
  const spoken = readSpoken({ agent: findAgent(crewRun.crew, baton.agent), original }, asked, baton.deferred, crewRun);
  if (spoken.transfers === undefined) return spoken;
  const earlier = (agent: string) => findLastWords(agent, baton.history);
  return { ...spoken, given: () => givenTo(baton, original), earlier };
}

/** What an agent said beside its tool calls. */
export function remarksIn(traffic: readonly Message[]): string {
  const remarks = traffic.flatMap(({ role, text }) => (role === "agent" && !isBlank(text) ? [text] : []));
  return remarks.join("\n\n");
}
