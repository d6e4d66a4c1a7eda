import type { Section } from "../../context/frame.ts";
import { append, type History } from "../../context/history.ts";
import { createMessage } from "../../vocabulary/messages.ts";
import { isBlank } from "../../vocabulary/wording.ts";
import type { Asked, Question, Refuse } from "../agent-call.ts";
import { askAgent } from "../ask-agent.ts";
import type { CrewRun } from "../crew-run.ts";
import { isHistoryShown } from "../history-for.ts";
import type { DeferredHandoff, Pass, Together } from "../move.ts";
import { readSpoken } from "../spoken.ts";
import { findPass, isFace, passToDeferred, type Spoken } from "./handoff.ts";
import { tellUnmet } from "./tell-unmet.ts";
import { callTogether, questionAfter } from "./transfer-group.ts";

/**
 * Calls an agent from inside another or a group, for the answer of whoever is last in its chain. Nothing of it leaves the call:
 * signals do not act, handoffs do not count, and an agent whose answer would end the run ends the call.
 */
export async function callAgent(question: Question, crewRun: CrewRun): Promise<Asked> {
  const turns = new Map<string, number>();
  const words = new Map<string, string>();
  const isShown = isHistoryShown(crewRun);
  const called: Question = { ...question, isCalled: true, refuse: refuseInCall(turns, question, crewRun) };
  const placeStage = (stage: number) => ({ ...question.place, path: `${question.place.path}.${stage}` });
  const goTogether = async (together: Together, stage: number) => {
    const ended = await callTogether({ ...called, history: said }, together, placeStage(stage).path, crewRun);
    return { ended, next: passToDeferred(readSpoken(at, ended, together.deferred, crewRun), crewRun.crew) };
  };
  let deferred: readonly DeferredHandoff[] = [];
  let at = called;
  let said = question.history;
  for (let stage = 1; ; stage++) {
    const asked = await askAgent(at, crewRun);
    turns.set(at.agent.id, (turns.get(at.agent.id) ?? 0) + asked.turns);
    const pass = passAfter(spokenInCall(at, readSpoken(at, asked, deferred, crewRun), words), at, crewRun);
    if (asked.type === "answer" && !isBlank(asked.text)) words.set(at.agent.id, asked.text);
    if (pass === undefined) return asked;
    if (isShown) said = addStage(said, at, asked, crewRun);
    const { next, ended } = pass.type === "pass" ? { next: pass, ended: asked } : await goTogether(pass, stage++);
    if (next === undefined) return ended;
    deferred = next.deferred;
    // Each stage has a place of its own beside the first.
    if (isShown && ended !== asked && ended.type === "answer") said = append(said, { role: "user", text: ended.text });
    at = await questionAfter({ ...called, history: said }, next, placeStage(stage), crewRun);
  }
}

/** Handoffs in a call do not count. What ends transfers in circles is that turns and depth do. */
function refuseInCall(turns: ReadonlyMap<string, number>, { callPath, place }: Question, { crew }: CrewRun): Refuse {
  return ({ to }) => {
    const limit = crew.agents.get(to)?.limits.maxTurns ?? 0;
    if ((turns.get(to) ?? 0) >= limit) return `agent '${to}' has taken all its turns (${limit}) in this call`;
    const depth = callPath.split("/").length - (place.crew ?? crew.name).split("/").length;
    // Without transfers no agent is called within itself, so that calls go no deeper than there are agents.
    return depth > crew.agents.size ? `the call is ${depth} calls deep; answer it yourself` : undefined;
  };
}

/** What was said so far in the call: by whom the stage was reached, and what came of it. */
function addStage(before: History | undefined, question: Question, asked: Asked, crewRun: CrewRun): History {
  const { agent, input } = question;
  const { text } = readSpoken(question, asked, [], crewRun);
  let said = append(before, { role: "user", text: input });
  if (text === input) return said;
  if (asked.type === "failed") return append(said, { role: "user", text });
  for (const message of asked.traffic) said = append(said, message);
  return append(said, createMessage(agent.id, text));
}

/** What those know who transfer the work within a call: what they were given, and what was said in the call. */
function spokenInCall(question: Question, spoken: Spoken, words: ReadonlyMap<string, string>): Spoken {
  if (spoken.transfers === undefined) return spoken;
  const { input, original, given } = question;
  const asked: readonly Section[] = input === original ? [] : [{ kind: "latest_input", text: input }];
  return { ...spoken, given: () => given ?? asked, earlier: (agent) => words.get(agent) };
}

/** What an agent's patterns, and those of whoever passed the work to it, make of how it ended. */
function passAfter(spoken: Spoken, { place }: Question, crewRun: CrewRun): Pass | Together | undefined {
  const { crew } = crewRun;
  const own = findPass(spoken, crew);
  if (own === undefined) tellUnmet(spoken, place, crewRun);
  const endsHere = spoken.agent.isTerminal && spoken.facts.status === "completed" && !isFace(spoken.agent);
  return own ?? (endsHere ? undefined : passToDeferred(spoken, crew));
}
