import { append } from "../../context/history.ts";
import type { Baton } from "../baton.ts";
import type { CrewRun } from "../crew-run.ts";
import { checkRounds } from "../limits.ts";
import type { Move } from "../move.ts";
import type { Next, Round } from "../round.ts";

/** Asks the same agent again: on its own wish, or because it gave no signal. */
export function askAgain(crewRun: CrewRun, { baton }: Round, move: Extract<Move, { type: "retry" | "repair" }>): Next {
  if (move.type === "retry") return goOn(crewRun, { ...baton, retries: baton.retries + 1 }, baton.input);
  const signals = move.signals.join(", ");
  const input = `Your answer had no signal, so nobody knows what is to follow. Give it again and end it with one of these: ${signals}`;
  return goOn(crewRun, { ...baton, isRepaired: true }, input);
}

/** The same agent continues with an input, which becomes part of the history. */
export function goOn(crewRun: CrewRun, baton: Baton, input: string): Next {
  const spent = checkRounds(crewRun);
  if (spent !== undefined) return { type: "end", outcome: spent };
  return { type: "baton", baton: { ...baton, input, history: append(baton.history, { role: "user", text: input }) } };
}
