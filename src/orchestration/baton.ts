import type { Section } from "../context/frame.ts";
import type { History } from "../context/history.ts";
import { append } from "../context/history.ts";
import type { Team } from "../vocabulary/crew.ts";
import { createMessage } from "../vocabulary/messages.ts";
import type { Answer } from "./agent-call.ts";
import type { CrewRun } from "./crew-run.ts";
import type { DeferredHandoff, Move } from "./move.ts";

/** What passes from agent to agent: who is to speak, on what input, with what history. */
export interface Baton {
  readonly agent: string;
  readonly input: string;
  /** The crew's history. Its newest message is the input, which the agent therefore does not see a second time. */
  readonly history: History;
  /** Reached on the crew's own line (entry, signal, group, sub-crew return, fallback), or passed to by a pattern. */
  readonly standing: "line" | "passed";
  /** How often the agent asked to try this input again, and whether it was told its signals. */
  readonly retries: number;
  readonly isRepaired: boolean;
  /** The move that its last answer could not make, and that its next one makes unless it decides otherwise. */
  readonly held?: Move | undefined;
  /** All that an agent sees which a pattern passed the work to: the history that it is shown, and what it has said and heard since. */
  readonly own: History | undefined;
  /** Handoffs that wait until the run would end with an answer; newest last. */
  readonly deferred: readonly DeferredHandoff[];
  /** The team that the agent supervises. */
  readonly team: Team | undefined;
  /** What the input was put together from, where a pattern passed the work on. */
  readonly given: readonly Section[] | undefined;
}

/** A baton for an agent that is asked something new. */
export function handOver(
  agent: string,
  input: string,
  history: History,
  standing: Baton["standing"],
  deferred: Baton["deferred"] = [],
  team?: Team,
  given?: readonly Section[],
): Baton {
  return { agent, input, history, standing, retries: 0, isRepaired: false, own: undefined, deferred, team, given };
}

/** On the crew's line everything that was said; one that was passed to sees what it was shown, said and heard since. */
export function seenBy({ agent, standing, history, own }: Baton, { broadcasts }: CrewRun): History | undefined {
  return standing === "line" ? history.before : (own ?? broadcasts.get(agent));
}

/** The baton with the answer in its histories. */
export function remember(baton: Baton, answer: Answer, crewRun: CrewRun): Baton {
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
