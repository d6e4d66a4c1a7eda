import type { Carried, ToolCall } from "./tool-call.ts";

/** One message of a crew's history. Who sees whose words in which role is decided when an agent's view is made. */
export type Message =
  | { readonly role: "user"; readonly text: string }
  | {
      readonly role: "agent";
      readonly agent: string;
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      readonly carried?: Carried | undefined;
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
export function saidBy(agent: string, text: string): Message {
  return { role: "agent", agent, text, toolCalls: noCalls };
}
