import type { Agent, Crew } from "../../vocabulary/crew.ts";
import type { Guard } from "../../vocabulary/guard.ts";

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
  /** Calls that cost money that no figure has. */
  readonly unpriced?: string;
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

/** Agents that judge are asked once for the input, and once for each answer, which guards may have written again. */
const judgeTexts: Part = ({ guards }) => {
  if (guards === undefined) return undefined;
  const judges = (of: readonly Guard[]) => of.flatMap(({ check }) => (check.type === "agent" ? check.agent : []));
  // A function or agent that decides itself may ask for another answer, too.
  const mayRetry = guards.output.filter(({ onTrip }) => onTrip === "retry" || onTrip === undefined);
  const answers = 1 + mayRetry.reduce((sum, { maxRetries }) => sum + maxRetries, 0);
  const asks = [...judges(guards.input), ...Array.from({ length: answers }, () => judges(guards.output)).flat()];
  return asks.length === 0 ? undefined : { asks };
};

/** The characters of an entry at most, and those around it; a third of the bytes are tokens, of which a character may take four. */
const ENTRY_TOKENS = Math.ceil((2000 * 4 + 60) / 3);

/** An agent with a memory reads what it is reminded of, and has three tools more. */
const remindItself: Part = ({ memory }) => {
  if (memory === undefined) return undefined;
  const { embed } = memory;
  const entries = memory.recall === "tool" ? 0 : memory.top;
  const inputTokens = entries * ENTRY_TOKENS + 3 * TOOL_TOKENS;
  return embed === undefined || embed.startsWith("local/")
    ? { inputTokens }
    : { inputTokens, unpriced: explainEmbedding(embed) };
};

function explainEmbedding(embed: string): string {
  return `its memory calls ${embed} for each text that it stores or looks up; the figures do not have what these calls cost`;
}

const parts: readonly Part[] = [describeTools, judgeTexts, remindItself];

export function listPartBounds(agent: Agent, crew: Crew): PartBound[] {
  return parts.flatMap((part) => part(agent, crew) ?? []);
}
