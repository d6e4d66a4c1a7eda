import type { Section } from "../context/frame.ts";
import type { History } from "../context/history.ts";
import type { Team } from "../vocabulary/crew.ts";
import type { Owed } from "./patterns/handoff.ts";

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
  /** All that one sees who was passed to: what it is shown of the crew's history, what it has said and heard since. */
  readonly own: History | undefined;
  /** Handoffs that wait until the run would end with an answer; newest last. */
  readonly owed: readonly Owed[];
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
  owed: Baton["owed"] = [],
  team?: Team,
  given?: readonly Section[],
): Baton {
  return { agent, input, history, standing, retries: 0, isRepaired: false, own: undefined, owed, team, given };
}
