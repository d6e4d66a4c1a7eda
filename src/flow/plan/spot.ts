/** Where the baton of a crew can be, with all that decides what may follow. */
export type Spot = AgentSpot | GroupSpot | CrewsSpot;

/** An agent that is about to answer. */
export interface AgentSpot {
  readonly type: "agent";
  readonly agent: string;
  readonly standing: "line" | "passed";
  /** Agents whose handoffs wait until the run would end with an answer, newest last. */
  readonly deferred: readonly string[];
  /** The agent that declares the team which this one supervises. */
  readonly face: string | undefined;
  readonly retries: number;
  readonly isRepaired: boolean;
  /** The group that could not use its last answer. */
  readonly held: string | undefined;
}

/** A group at work. Without a name it is of agents to whom one agent transferred at once. */
export interface GroupSpot {
  readonly type: "group";
  readonly group: string | undefined;
  readonly emitter: AgentSpot;
}

/** Sub-crews at work, for one of the bindings of an agent. */
export interface CrewsSpot {
  readonly type: "crews";
  readonly binding: number;
  readonly emitter: AgentSpot;
}

/** One thing that may follow. */
export interface Way {
  readonly to: Spot;
  readonly handoffs: 0 | 1;
  /** Whether the agent failed, or has nothing to say: then it is in no path. */
  readonly isSilent: boolean;
  /** Whether it is a pattern that passes the work on, and not the crew's own line. */
  readonly isPass: boolean;
  /** What makes it happen. */
  readonly by: string;
  /** Whether a human or the world outside answers, so that it may happen any number of times. */
  readonly isAnswered: boolean;
}

export function openSpot(
  agent: string,
  standing: AgentSpot["standing"],
  deferred: readonly string[],
  face?: string,
): AgentSpot {
  return { type: "agent", agent, standing, deferred, face, retries: 0, isRepaired: false, held: undefined };
}
