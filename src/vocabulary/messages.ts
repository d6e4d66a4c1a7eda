import type { ToolEffect } from "./crew.ts";

/** One message of a crew's history. The view for each agent decides who sees whose words in which role. */
export type Message =
  | { readonly role: "user"; readonly text: string }
  | {
      readonly role: "agent";
      readonly agent: string;
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      readonly providerMetadata?: ProviderMetadata | undefined;
    }
  | { readonly role: "tool"; readonly agent: string; readonly tool: string; readonly text: string };

/** How an agent is told what another one said or did, so that its model does not take it for its own words. */
export function quoteOther(message: Exclude<Message, { role: "user" }>): string {
  if (message.role === "tool") return `[${message.agent}] ${message.tool} gave: ${message.text}`;
  const calls = message.toolCalls.map(({ name, args }) => `(called ${name} with ${JSON.stringify(args)})`);
  return [`[${message.agent}] ${message.text}`, ...calls].join("\n");
}

const noCalls: readonly never[] = [];

/** What an agent said, without tool calls. */
export function createMessage(agent: string, text: string): Message {
  return { role: "agent", agent, text, toolCalls: noCalls };
}

/**
 * What a provider wants back with the next request of the same session: signed reasoning and metadata of calls. Baton does not
 * interpret it.
 */
export interface ProviderMetadata {
  /** The model that produced it. No other model understands it. */
  readonly model: string;
  readonly reasoning: readonly { readonly text: string; readonly marks: unknown }[];
  /** One entry for each tool call, in order; null if there is none. */
  readonly calls: readonly unknown[];
}

/** A tool call as the model asked for it. Arguments that are not JSON are stored as text. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  /** The raw text of the arguments, if it could not be parsed. */
  readonly malformed?: string;
}

/** What decides when a tool is called and for how long, and a hash of its parameters. */
export interface ToolFacts {
  readonly effect: ToolEffect;
  readonly schema: string;
  /** Null if the tool has no limit of its own. Journals of earlier versions do not say. */
  readonly timeoutMs?: number | null;
  /** A hash of the tool as its MCP server described it. */
  readonly pin?: string;
  readonly isSequential?: true;
  readonly needsApproval?: true;
}
