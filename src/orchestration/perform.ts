import { handOver } from "./baton.ts";
import type { CrewRun } from "./crew-run.ts";
import { handedOn } from "./given-to.ts";
import type { Move } from "./move.ts";
import { askHuman, askOutside } from "./moves/ask-human.ts";
import { runGroup } from "./moves/parallel.ts";
import { passOn } from "./moves/pass-on.ts";
import { askAgain } from "./moves/repeat.ts";
import { callCrews } from "./moves/sub-crew.ts";
import { runTogether } from "./moves/together.ts";
import { pass } from "./pass.ts";
import { passToDeferred } from "./patterns/handoff.ts";
import type { Next, Round } from "./round.ts";
import { readSpokenWithBaton } from "./spoken.ts";

/** Carries out a move. */
export function perform(crewRun: CrewRun, round: Round, move: Move): Next | Promise<Next> {
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
  const isDue = stopReason === "answer" && round.baton.deferred.length > 0;
  const deferred = isDue
    ? passToDeferred(readSpokenWithBaton(crewRun, round.baton, round.answer), crewRun.crew)
    : undefined;
  if (deferred !== undefined) return passOn(crewRun, round, deferred, from);
  return { type: "end", outcome: { type: "completed", stopReason, signal } };
}

/** Hands off to another agent: this answer is its input, the crew's history is shared. */
function route(crewRun: CrewRun, { baton, answer, place }: Round, move: Extract<Move, { type: "route" }>): Next {
  const refused = pass(crewRun, place, { from: baton.agent, to: move.to, via: move.via, reason: move.reason });
  if (refused !== undefined) return { type: "end", outcome: refused };
  return { type: "baton", baton: handOver(move.to, handedOn(baton, answer), baton.history, "line", baton.deferred) };
}
