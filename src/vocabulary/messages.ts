/** One message of a crew's history. Who sees whose words in which role is decided when an agent's view is made. */
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

/** What another agent said or did, as an agent is told of it: no model must take it for its own words. */
export function quoteOther(message: Exclude<Message, { role: "user" }>): string {
  if (message.role === "tool") return `[${message.agent}] ${message.tool} gave: ${message.text}`;
  const calls = message.toolCalls.map(({ name, args }) => `(called ${name} with ${JSON.stringify(args)})`);
  return [`[${message.agent}] ${message.text}`, ...calls].join("\n");
}

const noCalls: readonly never[] = [];

/** What an agent said, without calling anything. */
export function createMessage(agent: string, text: string): Message {
  return { role: "agent", agent, text, toolCalls: noCalls };
}

/** What a provider wants back, unread, with the next request of the same conversation: signed reasoning, marks on calls. */
export interface ProviderMetadata {
  /** The model that gave it, and alone understands it. */
  readonly model: string;
  readonly reasoning: readonly { readonly text: string; readonly marks: unknown }[];
  /** For each tool call, in order; null where there is nothing. */
  readonly calls: readonly unknown[];
}

/** A tool call as the model asked for it; arguments that were no JSON are kept as text. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  /** The raw argument text, where it could not be read. */
  readonly malformed?: string;
}

/** What decides when a tool is called; what it takes, as a hash. */
export interface ToolFacts {
  readonly effect: "read" | "idempotent" | "once";
  readonly schema: string;
  readonly isSequential?: true;
  readonly needsApproval?: true;
}
