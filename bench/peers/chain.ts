/** What every peer is given to build: agents in a row, each handing the conversation on to the next. */
export interface Chain {
  readonly agents: readonly AgentOfChain[];
  /** What was said before the run. */
  readonly history: readonly Said[];
  /** What the fake model says, whichever agent asks; the peers' own model interfaces are wrapped around it. */
  readonly answer: () => Promise<string>;
}

export interface AgentOfChain {
  readonly name: string;
  readonly prompt: string;
}

export interface Said {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** Builds the chain once, with whatever can be prepared ahead, and returns one run of it; runs may overlap. */
export type MakeChain = (chain: Chain) => () => Promise<unknown>;

export const INPUT = "Start the work.";

export function agentsOf(count: number): AgentOfChain[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `agent_${index}`,
    prompt: "Do your part of the work, then hand it on to the next agent.",
  }));
}

export function historyOf(count: number): Said[] {
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `Message ${index}: something that was said earlier and that every agent gets to see.`,
  }));
}
