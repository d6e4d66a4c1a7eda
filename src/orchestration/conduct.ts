import { append } from "../context/history.ts";
import type { Agent } from "../crew.ts";
import type { EventPlace } from "../events.ts";
import { type Answer, askAgent } from "./ask-agent.ts";
import type { Baton } from "./baton.ts";
import { type CrewOutcome, type CrewRun, checkRounds, nextPlace, noteAnswer } from "./crew-run.ts";
import { findMove, isGated, type Move } from "./find-move.ts";
import { deliverBroadcasts } from "./moves/broadcast.ts";
import { emitExternals, hasExternals, noResponses } from "./moves/external.ts";
import { runGroup } from "./moves/parallel.ts";
import { askHuman, askOutside, holdAtGate } from "./moves/pause.ts";
import { askAgain } from "./moves/repeat.ts";
import { route } from "./moves/route.ts";
import { callCrews } from "./moves/sub-crew.ts";

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
  crewRun.originalInput = start.input;
  for (let baton = start; ; ) {
    const agent = crewRun.crew.agents.get(baton.agent);
    if (agent === undefined) throw new Error(`the crew has no agent '${baton.agent}'; loading should have said so`);
    const place = nextPlace(crewRun, agent.id);
    const history = baton.standing === "line" ? baton.history.before : undefined;
    const answer = await askAgent({ agent, input: baton.input, history, scope: crewRun.scope, place }, crewRun);
    if (answer.type === "failed") return { type: "failed", stopReason: "error", failure: answer.failure };
    noteAnswer(crewRun, agent.id, answer.text, agent.id);
    deliverBroadcasts(crewRun, answer, agent.id);
    const responses = hasExternals(answer) ? await emitExternals(crewRun, answer, agent, place) : noResponses;
    const moved = move(
      crewRun,
      { baton: { ...baton, history: addAnswer(baton, answer) }, answer, responses, place },
      agent,
    );
    const next = moved instanceof Promise ? await moved : moved;
    if (next.type === "end") return next.outcome;
    baton = next.baton;
  }
}

/** The one move that follows an answer. */
function move(crewRun: CrewRun, round: Round, agent: Agent): Next | Promise<Next> {
  const { retries, isRepaired, standing } = round.baton;
  const found = findMove({ agent, standing, found: round.answer.found, retries, isRepaired }, crewRun.crew);
  const isGate = isGated(found, agent, crewRun.crew);
  // Nobody is asked for an answer that may not be used.
  const spent = isGate || found.type === "pause" || found.type === "external" ? checkRounds(crewRun) : undefined;
  if (spent !== undefined) return { type: "end", outcome: spent };
  return isGate ? holdAtGate(crewRun, round, found, perform) : perform(crewRun, round, found);
}

function addAnswer(baton: Baton, answer: Answer): Baton["history"] {
  let history = baton.history;
  for (const message of answer.traffic) history = append(history, message);
  return append(history, { role: "agent", agent: baton.agent, text: answer.text, toolCalls: [] });
}

/** Carries out a move. */
function perform(crewRun: CrewRun, round: Round, move: Move): Next | Promise<Next> {
  switch (move.type) {
    case "route":
      return route(crewRun, round, move);
    case "parallel":
      return runGroup(crewRun, round, move, perform);
    case "sub_crew":
      return callCrews(crewRun, round, move);
    case "end":
      return { type: "end", outcome: { type: "completed", stopReason: move.stopReason, signal: move.signal } };
    case "pause":
      return askHuman(crewRun, round, move.reason);
    case "external":
      return askOutside(crewRun, round, move.signal);
    case "retry":
    case "repair":
      return askAgain(crewRun, round, move);
  }
}
