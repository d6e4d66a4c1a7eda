import type { History } from "../context/history.ts";

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
}

/** A baton for an agent that is asked something new. */
export function handOver(agent: string, input: string, history: History, standing: Baton["standing"]): Baton {
  return { agent, input, history, standing, retries: 0, isRepaired: false };
}
