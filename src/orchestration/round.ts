import type { EventPlace } from "../vocabulary/events.ts";
import type { Answer } from "./agent-call.ts";
import type { Baton } from "./baton.ts";
import type { CrewOutcome, CrewRun } from "./crew-run.ts";
import type { Move } from "./move.ts";

/** An answer given in a round, with all a move needs to know of it. */
export interface Round {
  /** As it was, but for its history, whose newest message is now the answer. */
  readonly baton: Baton;
  readonly answer: Answer;
  /** What handlers of external signals answered at once, by signal. */
  readonly responses: ReadonlyMap<string, unknown>;
  readonly place: EventPlace;
}

/** What a move leads to: the baton passed on, or the end of the crew's run. */
export type Next =
  | { readonly type: "baton"; readonly baton: Baton }
  | { readonly type: "end"; readonly outcome: CrewOutcome };

/** Carries out a move; passed to moves that lead to others. */
export type Perform = (crewRun: CrewRun, round: Round, move: Move) => Next | Promise<Next>;
