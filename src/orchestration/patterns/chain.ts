import type { Asked, Question } from "../ask-agent.ts";
import type { CrewRun } from "../crew-run.ts";
import { frameFor } from "../frame-for.ts";
import { findPass, isFace, type Owed, type Pass, payOwed, type Spoken } from "./handoff.ts";

export type Ask = (question: Question, crewRun: CrewRun) => Promise<Asked>;

/**
 * Calls an agent from inside another or a group, for the answer of whoever is last in its chain. Nothing of it leaves the call:
 * signals do not act, handoffs do not count, and an agent whose answer would end the run ends the call.
 */
export async function runChain(question: Question, crewRun: CrewRun, ask: Ask): Promise<Asked> {
  let owed: readonly Owed[] = [];
  let at = question;
  for (let stage = 1; ; stage++) {
    const asked = await ask(at, crewRun);
    const pass = passAfter(spokenOf(at, asked, owed, crewRun), crewRun);
    if (pass === undefined) return asked;
    owed = pass.owed;
    at = nextQuestion(question, pass, stage, crewRun);
  }
}

/** What an agent's patterns, and those of whoever passed the work to it, make of how it ended. */
function passAfter(spoken: Spoken, { crew }: CrewRun): Pass | undefined {
  const own = findPass(spoken, crew);
  const endsHere = spoken.agent.isTerminal && spoken.facts.status === "completed" && !isFace(spoken.agent);
  return own ?? (endsHere ? undefined : payOwed(spoken, crew));
}

/** Each stage has a place of its own beside the first. */
function nextQuestion(question: Question, pass: Pass, stage: number, crewRun: CrewRun): Question {
  const { crew, broadcasts } = crewRun;
  const agent = crew.agents.get(pass.to);
  if (agent === undefined) throw new Error(`the crew has no agent '${pass.to}'; loading should have said so`);
  const place = { ...question.place, path: `${question.place.path}.${stage}`, agent: agent.id };
  return {
    ...question,
    agent,
    input: frameFor(agent, pass.sections, place, crewRun),
    history: crew.settings.history === "full" ? question.history : broadcasts.get(agent.id),
    place,
    team: pass.team,
    session: undefined,
  };
}

/** How an agent ended, as its patterns see it. */
export function spokenOf(
  { agent, original }: Pick<Question, "agent" | "original">,
  asked: Asked,
  owed: readonly Owed[],
  { world: { run } }: CrewRun,
): Spoken {
  const { turns } = asked;
  const { costUsd } = run;
  if (asked.type === "failed") {
    const text = `Agent \`${agent.id}\` failed and gave no answer. Reason: ${asked.failure.message}`;
    return { agent, original, owed, text, facts: { text: "", signals: [], status: "failed", turns, costUsd } };
  }
  const { text, found, choice } = asked;
  const signals = found.map(({ signal }) => signal.name);
  return { agent, original, owed, text, choice, facts: { text, signals, status: "completed", turns, costUsd } };
}
