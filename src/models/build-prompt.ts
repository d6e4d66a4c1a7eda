import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { findReferences } from "../vocabulary/attachment.ts";
import { type Message, quoteOther } from "../vocabulary/messages.ts";
import { isBlank } from "../vocabulary/wording.ts";
import type { ModelRequest, RequestFile } from "./model.ts";
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
  const files = new SentFiles(request.files);
  let turn = 0;
  for (const message of messages()) {
    const isResult = message.role === "tool" && message.agent === agent;
    // The results of a turn belong together, so what they refer to follows the last of them.
    if (!isResult) prompt.push(...files.leftOver());
    if (message.role !== "agent" || message.agent !== agent) {
      prompt.push(buildMessage(message, agent, turn, pending, names, files));
      continue;
    }
    turn++;
    pending.length = 0;
    for (const index of message.toolCalls.keys()) pending.push(makeCallId(turn, index));
    const own = buildOwnMessage(message, turn, model, names);
    if (own.content.length > 0) prompt.push(own);
  }
  return [...prompt, ...files.leftOver()];
}

type FilePart = LanguageModelV4TextPart | LanguageModelV4FilePart;

/** Sends each file once, where it is first referred to, so that the beginning of a prompt stays the same. */
class SentFiles {
  readonly #files: ModelRequest["files"];
  readonly #sent = new Set<string>();
  #waiting: FilePart[] = [];

  constructor(files: ModelRequest["files"]) {
    this.#files = files;
  }

  /** What a text refers to and was not sent yet. */
  take(text: string): FilePart[] {
    if (this.#files === undefined) return [];
    return findReferences(text).flatMap((name) => {
      const file = this.#files?.get(name);
      if (file === undefined || this.#sent.has(name)) return [];
      this.#sent.add(name);
      return [buildFilePart(file)];
    });
  }

  /** Results of tools are text, which not every provider lets files stand in. */
  keep(text: string): void {
    this.#waiting.push(...this.take(text));
  }

  leftOver(): LanguageModelV4Message[] {
    if (this.#waiting.length === 0) return [];
    const content = [{ type: "text" as const, text: "The files that the results refer to:" }, ...this.#waiting];
    this.#waiting = [];
    return [{ role: "user", content }];
  }
}

function buildFilePart({ name, mediaType, content }: RequestFile): FilePart {
  if (typeof content === "string") return { type: "text", text: content };
  return { type: "file", filename: name, mediaType, data: { type: "data", data: content } };
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
  files: SentFiles,
): LanguageModelV4Message {
  if (message.role === "user") return buildUserMessage(message.text, files);
  if (message.role === "agent" || message.agent !== agent) return buildUserMessage(quoteOther(message), files);
  files.keep(message.text);
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
function buildUserMessage(text: string, files: SentFiles): LanguageModelV4Message {
  return { role: "user", content: [{ type: "text", text: isBlank(text) ? "(empty)" : text }, ...files.take(text)] };
}
