import type { Agent, Crew } from "../../vocabulary/crew.ts";

/**
 * What a part of an agent adds to each of its sessions. Every capability that makes an agent call, read or repeat more says so
 * here, and nowhere else.
 */
export interface PartBound {
  /** More turns than `max_turns` allows, such as those of a guard that makes the agent try again. */
  readonly turns?: number;
  /** Agents that are asked once for each session. */
  readonly asks?: readonly string[];
  /** What the agent reads besides its prompt and what was said, such as descriptions of tools or what it remembers. */
  readonly inputTokens?: number;
  /** Why nobody can say what the part takes. */
  readonly unknown?: string;
}

type Part = (agent: Agent, crew: Crew) => PartBound | undefined;

/** What a tool's name, description and parameters take. The tools themselves are loaded only when a run needs them. */
const TOOL_TOKENS = 150;

const describeTools: Part = (agent, { settings }) => {
  const { tools, subAgents, advisors, delegate, compose, collaborations, router, team } = agent;
  const parts = [...tools, ...subAgents, ...delegate, ...collaborations, ...(router?.destinations ?? [])];
  const more = [advisors.length + subAgents.length > 0, compose, team !== undefined, settings.emit !== "text"];
  const count = parts.length + more.filter(Boolean).length;
  return count === 0 ? undefined : { inputTokens: count * TOOL_TOKENS };
};

const parts: readonly Part[] = [describeTools];

export function listPartBounds(agent: Agent, crew: Crew): PartBound[] {
  return parts.flatMap((part) => part(agent, crew) ?? []);
}
