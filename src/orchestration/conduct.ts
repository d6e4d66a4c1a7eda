import { append } from "../context/history.ts";
import type { Agent } from "../vocabulary/crew.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import { createMessage } from "../vocabulary/messages.ts";
import { isPromise } from "../vocabulary/promise.ts";
import type { Answer, Asked } from "./agent-call.ts";
import { askAgent } from "./ask-agent.ts";
import type { Baton } from "./baton.ts";
import { remember, seenBy } from "./baton.ts";
import { type CrewOutcome, type CrewRun, findAgent, formatCallPath, nextPlace, noteAnswer } from "./crew-run.ts";
import { findMove, isGated } from "./find-move.ts";
import { findLastWords } from "./given-to.ts";
import { preferLearned } from "./learned.ts";
import { checkRounds } from "./limits.ts";
import { holdAtGate } from "./moves/ask-human.ts";
import { emitExternals, hasExternals, noResponses } from "./moves/external.ts";
import { passOn } from "./moves/pass-on.ts";
import { findPass, passToDeferred } from "./patterns/handoff.ts";
import { refuseOnce } from "./patterns/refuse.ts";
import { comesAfterHandoff, tellUnmet } from "./patterns/tell-unmet.ts";
import { perform } from "./perform.ts";
import type { Next, Round } from "./round.ts";
import { readSpokenWithBaton } from "./spoken.ts";

/** Passes the baton from agent to agent until the crew's run ends. */
export async function conduct(crewRun: CrewRun, start: Baton): Promise<CrewOutcome> {
  crewRun.original = start.input;
  for (let baton = start; ; ) {
    const agent = findAgent(crewRun.crew, baton.agent);
    const place = nextPlace(crewRun, agent.id);
    const asked = await askNext(baton, agent, place, crewRun);
    const followed =
      asked.type === "answer" && asked.session !== undefined
        ? follow(crewRun, baton, asked, agent, place)
        : withoutAnswer(crewRun, baton, asked, place);
    const next = isPromise(followed) ? await followed : followed;
    if (next.type === "end") return next.outcome;
    baton = next.baton;
  }
}

function askNext(baton: Baton, agent: Agent, place: EventPlace, crewRun: CrewRun): Promise<Asked> {
  const { scope, original } = crewRun;
  const { input, team, isRepaired: isReminder, held } = baton;
  const { message } = baton.history;
  // An agent that continues with something new is not asked what it was given at first.
  const given = message.role === "user" && message.text === input ? undefined : baton.given;
  const callPath = formatCallPath(crewRun, agent.id);
  const mayChoose = agent.router !== undefined || agent.collaborations.length > 0;
  const refuse = mayChoose ? refuseOnce(crewRun) : undefined;
  const history = seenBy(baton, crewRun);
  const lastWords = isReminder ? findLastWords(agent.id, baton.history) : undefined;
  const question = {
    agent,
    input,
    history,
    scope,
    place,
    original,
    callPath,
    refuse,
    team,
    isReminder,
    isRepeated: held !== undefined,
    lastWords,
    given,
  };
  return askAgent(question, crewRun);
}

/** What follows an answer: what its signals do beside, then the one move. */
function follow(crewRun: CrewRun, baton: Baton, answer: Answer, agent: Agent, place: EventPlace): Next | Promise<Next> {
  noteAnswer(crewRun, agent.id, answer, agent.id);
  deliverBroadcasts(crewRun, answer, agent.id);
  const told = { baton: remember(baton, answer, crewRun), answer, responses: noResponses, place };
  return hasExternals(answer) ? tellOutside(crewRun, told, agent) : move(crewRun, told, agent);
}

async function tellOutside(crewRun: CrewRun, round: Round, agent: Agent): Promise<Next> {
  const responses = await emitExternals(crewRun, round.answer, agent, round.place);
  return move(crewRun, { ...round, responses }, agent);
}

/** A failure ends the crew's run, unless a handoff wants to hear of it. Where nobody spoke, the input is passed on. */
function withoutAnswer(crewRun: CrewRun, baton: Baton, asked: Asked, place: EventPlace): Next | Promise<Next> {
  const spoken = readSpokenWithBaton(crewRun, baton, asked);
  const own = findPass(spoken, crewRun.crew);
  if (own === undefined) tellUnmet(spoken, place, crewRun);
  const pass = own ?? passToDeferred(spoken, crewRun.crew);
  if (pass?.type === "pass") {
    const isKnown = baton.history.message.text === spoken.text;
    const history = isKnown ? baton.history : append(baton.history, { role: "user", text: spoken.text });
    return passOn(crewRun, { baton: { ...baton, history }, place }, pass);
  }
  if (asked.type === "answer") throw new Error(`agent '${baton.agent}' neither answered nor passed its work on`);
  return { type: "end", outcome: { type: "failed", stopReason: "error", failure: asked.failure } };
}

/** The one move that follows an answer. */
function move(crewRun: CrewRun, round: Round, agent: Agent): Next | Promise<Next> {
  const { retries, isRepaired, standing, held } = round.baton;
  const { found: signals, choice, transfers } = round.answer;
  const hasChosen = choice !== undefined || transfers !== undefined;
  const mayPass = hasChosen || agent.handoff !== undefined || agent.team !== undefined;
  const spoken = mayPass ? readSpokenWithBaton(crewRun, round.baton, round.answer) : undefined;
  const found = findMove({ agent, spoken, standing, found: signals, retries, isRepaired, held }, crewRun.crew);
  if (spoken !== undefined && comesAfterHandoff(found)) tellUnmet(spoken, round.place, crewRun);
  const next = preferLearned(crewRun, agent, found, round.place);
  const isGate = isGated(next, agent, crewRun.crew);
  // Nobody is asked for an answer that may not be used.
  const spent = isGate || next.type === "pause" || next.type === "external" ? checkRounds(crewRun) : undefined;
  if (spent !== undefined) return { type: "end", outcome: spent };
  return isGate ? holdAtGate(crewRun, round, next, perform) : perform(crewRun, round, next);
}

/**
 * Delivers an answer once to every target of the broadcasts in it. Agents of the crew's line read it in the shared history anyway.
 */
function deliverBroadcasts({ broadcasts }: CrewRun, answer: Answer, agent: string): void {
  let targets: Set<string> | undefined;
  for (const { signal } of answer.found) {
    const move = signal.binding?.move;
    if (move?.type === "broadcast") targets = new Set([...(targets ?? []), ...move.targets]);
  }
  // Most answers have none, and a set is not made for nothing.
  if (targets === undefined) return;
  for (const target of targets)
    broadcasts.set(target, append(broadcasts.get(target), createMessage(agent, answer.text)));
}
