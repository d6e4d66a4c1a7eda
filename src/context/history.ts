import type { Message } from "../vocabulary/messages.ts";

/** A history is its newest message and a reference to the history before, so that branches share what they have in common. */
export interface History {
  readonly message: Message;
  readonly before: History | undefined;
  readonly length: number;
  /** An estimate of the tokens of all messages up to this one. */
  readonly tokens: number;
}

export function append(history: History | undefined, message: Message): History {
  const tokens = (history?.tokens ?? 0) + estimateTokens(message);
  return { message, before: history, length: (history?.length ?? 0) + 1, tokens };
}

/** Lists the messages, oldest first. */
export function toMessages(history: History | undefined): Message[] {
  const messages: Message[] = new Array(history?.length ?? 0);
  for (let at = history; at !== undefined; at = at.before) messages[at.length - 1] = at.message;
  return messages;
}

/** A third of the bytes; no common tokenizer needs many more tokens than that. */
export function estimateTokens(message: Message): number {
  const hasCalls = message.role === "agent" && message.toolCalls.length > 0;
  return countTokens(message.text) + (hasCalls ? countTokens(JSON.stringify(message.toolCalls)) : 0) + 4;
}

export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}
