import { handOver } from "../baton.ts";
import type { CrewRun } from "../crew-run.ts";
import { handedOn } from "../given-to.ts";
import type { Move } from "../move.ts";
import { pass } from "../pass.ts";
import type { Next, Round } from "../round.ts";

/** Hands off to another agent: this answer is its input, the crew's history is shared. */
export function route(crewRun: CrewRun, { baton, answer, place }: Round, move: Extract<Move, { type: "route" }>): Next {
  const refused = pass(crewRun, place, { from: baton.agent, to: move.to, via: move.via, reason: move.reason });
  if (refused !== undefined) return { type: "end", outcome: refused };
  return { type: "baton", baton: handOver(move.to, handedOn(baton, answer), baton.history, "line", baton.deferred) };
}
