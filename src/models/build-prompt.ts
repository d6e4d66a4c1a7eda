import type { LanguageModelV4Message, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { type Message, quoteOther } from "../vocabulary/messages.ts";
import { isBlank } from "../vocabulary/wording.ts";
import type { ModelRequest } from "./model.ts";
import type { WireNames } from "./wire-names.ts";

/**
 * Builds a request for a provider. The agent's own words have the role assistant. What others said and did becomes a user's
 * message under their names, so that a model does not take it for its own words.
 */
export function buildPrompt(request: ModelRequest, model: string, names: WireNames): LanguageModelV4Message[] {
  const { agent, messages } = request;
  const system = buildSystem(request);
  const prompt: LanguageModelV4Message[] = system === "" ? [] : [{ role: "system", content: system }];
  const pending: string[] = [];
  let turn = 0;
  for (const message of messages()) {
    if (message.role !== "agent" || message.agent !== agent) {
      prompt.push(buildMessage(message, agent, turn, pending, names));
      continue;
    }
    turn++;
    pending.length = 0;
    for (const index of message.toolCalls.keys()) pending.push(makeCallId(turn, index));
    const own = buildOwnMessage(message, turn, model, names);
    if (own.content.length > 0) prompt.push(own);
  }
  return prompt;
}

/** OpenAI and servers like it refuse to answer in JSON unless the prompt says the word. */
function buildSystem({ system, json }: ModelRequest): string {
  if (json === undefined || /json/i.test(system)) return system;
  return system === "" ? ANSWER_IN_JSON : `${system}\n\n${ANSWER_IN_JSON}`;
}

const ANSWER_IN_JSON = "Answer in JSON.";

function buildMessage(
  message: Message,
  agent: string,
  turn: number,
  pending: string[],
  names: WireNames,
): LanguageModelV4Message {
  if (message.role === "user") return buildUserMessage(message.text);
  if (message.role === "agent" || message.agent !== agent) return buildUserMessage(quoteOther(message));
  const toolCallId = pending.shift() ?? makeCallId(turn, 0);
  const toolName = names.sent(message.tool);
  const result = { type: "text" as const, value: message.text };
  return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output: result }] };
}

function buildOwnMessage(
  { text, toolCalls, providerMetadata }: Extract<Message, { role: "agent" }>,
  turn: number,
  model: string,
  names: WireNames,
): LanguageModelV4Message {
  const back = providerMetadata?.model === model ? providerMetadata : undefined;
  return {
    role: "assistant",
    content: [
      ...(back?.reasoning ?? []).map((part) => ({
        type: "reasoning" as const,
        text: part.text,
        ...buildProviderOptions(part.marks),
      })),
      ...(isBlank(text) ? [] : [{ type: "text" as const, text }]),
      ...toolCalls.map(({ name, args }, index) => ({
        type: "tool-call" as const,
        toolCallId: makeCallId(turn, index),
        toolName: names.sent(name),
        input: readArguments(args),
        ...buildProviderOptions(back?.calls[index]),
      })),
    ],
  };
}

/** Makes the id of a call from its place. Some servers, Mistral's among them, accept only nine letters and digits. */
function makeCallId(turn: number, index: number): string {
  const digits = (number: number) => number.toString(36).padStart(4, "0");
  return `c${digits(turn)}${digits(index)}`;
}

/** Providers refuse calls whose arguments are not an object, although models sometimes write them. */
function readArguments(args: unknown): object {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? args : { arguments: args };
}

/** What the provider attached to a part is sent back unchanged. */
function buildProviderOptions(marks: unknown): { readonly providerOptions?: SharedV4ProviderOptions } {
  return marks === undefined || marks === null ? {} : { providerOptions: marks as SharedV4ProviderOptions };
}

/** Providers refuse empty texts. */
function buildUserMessage(text: string): LanguageModelV4Message {
  return { role: "user", content: [{ type: "text", text: isBlank(text) ? "(empty)" : text }] };
}
