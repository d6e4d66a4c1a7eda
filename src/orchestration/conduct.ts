import { append, type History } from "../context/history.ts";
import type { Agent } from "../vocabulary/crew.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import { createMessage } from "../vocabulary/messages.ts";
import { isPromise } from "../vocabulary/promise.ts";
import { agentOf } from "./agent-of.ts";
import { type Answer, type Asked, askAgent } from "./ask-agent.ts";
import type { Baton } from "./baton.ts";
import { type CrewOutcome, type CrewRun, callPathOf, nextPlace, noteAnswer } from "./crew-run.ts";
import { findMove, isGated, type Move } from "./find-move.ts";
import { givenTo, lastWordsOf } from "./given-to.ts";
import { preferLearned } from "./learned.ts";
import { checkRounds } from "./limits.ts";
import { askHuman, askOutside, holdAtGate } from "./moves/ask-human.ts";
import { deliverBroadcasts } from "./moves/broadcast.ts";
import { emitExternals, hasExternals, noResponses } from "./moves/external.ts";
import { runGroup } from "./moves/parallel.ts";
import { passOn } from "./moves/pass-on.ts";
import { askAgain } from "./moves/repeat.ts";
import { route } from "./moves/route.ts";
import { callCrews } from "./moves/sub-crew.ts";
import { runTogether } from "./moves/together.ts";
import { spokenOf } from "./patterns/chain.ts";
import { findPass, payOwed, type Spoken } from "./patterns/handoff.ts";
import { refuseOnce } from "./patterns/refuse.ts";
import { comesAfterHandoff, tellUnmet } from "./patterns/tell-unmet.ts";

/** Carries out a move; passed to moves that lead to others. */
export type Perform = (crewRun: CrewRun, round: Round, move: Move) => Next | Promise<Next>;

/** What a move leads to: the baton passed on, or the end of the crew's run. */
export type Next =
  | { readonly type: "baton"; readonly baton: Baton }
  | { readonly type: "end"; readonly outcome: CrewOutcome };

/** An answer given in a round, with all a move needs to know of it. */
export interface Round {
  /** As it was, but for its history, whose newest message is now the answer. */
  readonly baton: Baton;
  readonly answer: Answer;
  /** What handlers of external signals answered at once, by signal. */
  readonly responses: ReadonlyMap<string, unknown>;
  readonly place: EventPlace;
}

/** Passes the baton from agent to agent until the crew's run ends. */
export async function conduct(crewRun: CrewRun, start: Baton): Promise<CrewOutcome> {
  crewRun.original = start.input;
  for (let baton = start; ; ) {
    const agent = agentOf(crewRun.crew, baton.agent);
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
  const { input, team, isRepaired: isReminder } = baton;
  const { message } = baton.history;
  // An agent that goes on with something new is not asked what it was given at first.
  const given = message.role === "user" && message.text === input ? undefined : baton.given;
  const callPath = callPathOf(crewRun, agent.id);
  const mayChoose = agent.router !== undefined || agent.collaborations.length > 0;
  const refuse = mayChoose ? refuseOnce(crewRun) : undefined;
  const history = seenBy(baton, crewRun);
  const lastWords = isReminder ? lastWordsOf(agent.id, baton.history) : undefined;
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
    lastWords,
    given,
  };
  return askAgent(question, crewRun);
}

/** On the crew's line everything that was said; one that was passed to sees what it was shown, said and heard since. */
function seenBy({ agent, standing, history, own }: Baton, { broadcasts }: CrewRun): History | undefined {
  return standing === "line" ? history.before : (own ?? broadcasts.get(agent));
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
  const spoken = spokenOn(crewRun, baton, asked);
  const own = findPass(spoken, crewRun.crew);
  if (own === undefined) tellUnmet(spoken, place, crewRun);
  const pass = own ?? payOwed(spoken, crewRun.crew);
  if (pass?.type === "pass") {
    const isKnown = baton.history.message.text === spoken.text;
    const history = isKnown ? baton.history : append(baton.history, { role: "user", text: spoken.text });
    return passOn(crewRun, { baton: { ...baton, history }, place }, pass);
  }
  if (asked.type === "answer") throw new Error(`agent '${baton.agent}' neither answered nor passed its work on`);
  return { type: "end", outcome: { type: "failed", stopReason: "error", failure: asked.failure } };
}

function spokenOn(crewRun: CrewRun, baton: Baton, asked: Asked): Spoken {
  const { original } = crewRun;
  const spoken = spokenOf({ agent: agentOf(crewRun.crew, baton.agent), original }, asked, baton.owed, crewRun);
  if (spoken.transfers === undefined) return spoken;
  const earlier = (agent: string) => lastWordsOf(agent, baton.history);
  return { ...spoken, given: () => givenTo(baton, original), earlier };
}

/** The one move that follows an answer. */
function move(crewRun: CrewRun, round: Round, agent: Agent): Next | Promise<Next> {
  const { retries, isRepaired, standing } = round.baton;
  const { found: signals, choice, transfers } = round.answer;
  const hasChosen = choice !== undefined || transfers !== undefined;
  const mayPass = hasChosen || agent.handoff !== undefined || agent.team !== undefined;
  const spoken = mayPass ? spokenOn(crewRun, round.baton, round.answer) : undefined;
  const found = findMove({ agent, spoken, standing, found: signals, retries, isRepaired }, crewRun.crew);
  if (spoken !== undefined && comesAfterHandoff(found)) tellUnmet(spoken, round.place, crewRun);
  const next = preferLearned(crewRun, agent, found, round.place);
  const isGate = isGated(next, agent, crewRun.crew);
  // Nobody is asked for an answer that may not be used.
  const spent = isGate || next.type === "pause" || next.type === "external" ? checkRounds(crewRun) : undefined;
  if (spent !== undefined) return { type: "end", outcome: spent };
  return isGate ? holdAtGate(crewRun, round, next, perform) : perform(crewRun, round, next);
}

/** The baton with the answer in its histories. */
function remember(baton: Baton, answer: Answer, crewRun: CrewRun): Baton {
  const history = addAnswer(baton, answer, baton.history);
  if (baton.standing === "line") return { ...baton, history };
  const heard = append(seenBy(baton, crewRun), { role: "user", text: baton.input });
  return { ...baton, history, own: addAnswer(baton, answer, heard) };
}

function addAnswer(baton: Baton, answer: Answer, before: History): History {
  let history = before;
  for (const message of answer.traffic) history = append(history, message);
  return append(history, createMessage(baton.agent, answer.text));
}

/** Carries out a move. */
function perform(crewRun: CrewRun, round: Round, move: Move): Next | Promise<Next> {
  switch (move.type) {
    case "route":
      return route(crewRun, round, move);
    case "pass":
      return passOn(crewRun, round, move);
    case "together":
      return runTogether(crewRun, round, move, perform);
    case "parallel":
      return runGroup(crewRun, round, move, perform);
    case "sub_crew":
      return callCrews(crewRun, round, move);
    case "end":
      return finish(crewRun, round, move);
    case "pause":
      return askHuman(crewRun, round, move.reason, move.signal);
    case "external":
      return askOutside(crewRun, round, move.signal);
    case "retry":
    case "repair":
      return askAgain(crewRun, round, move);
  }
}

/** The end of the crew's run, unless a router that passed the work on has still to hand it off. */
function finish(
  crewRun: CrewRun,
  round: Round,
  { stopReason, signal, from }: Extract<Move, { type: "end" }>,
): Next | Promise<Next> {
  const isDue = stopReason === "answer" && round.baton.owed.length > 0;
  const owed = isDue ? payOwed(spokenOn(crewRun, round.baton, round.answer), crewRun.crew) : undefined;
  if (owed !== undefined) return passOn(crewRun, round, owed, from);
  return { type: "end", outcome: { type: "completed", stopReason, signal } };
}
