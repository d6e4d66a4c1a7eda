import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { Usage } from "../events.ts";
import { type Model, ModelError, type ModelReply, type ModelRequest } from "./model.ts";
import { promptOf } from "./prompt-of.ts";
import { errorInAnswer, providerError } from "./provider-error.ts";
import type { Provider } from "./providers.ts";
import { readToolCall } from "./read-tool-call.ts";

/** How a client is called. */
export interface CallStyle extends Pick<Provider, "options" | "reasoningBudget"> {
  readonly isStreamed: boolean;
}

/** A model behind any client of the AI SDK. */
export function createLanguageModel(name: string, client: LanguageModelV4, style: CallStyle): Model {
  const call = style.isStreamed ? callStreamed : callWhole;
  return { name, call: async (request) => call(client, request, optionsOf(request, style)) };
}

type Finish = Pick<LanguageModelV4GenerateResult, "finishReason" | "usage">;

async function callWhole(
  client: LanguageModelV4,
  request: ModelRequest,
  options: LanguageModelV4CallOptions,
): Promise<ModelReply> {
  const collected = new Collected();
  const result = await orProviderError(client.doGenerate(options));
  for (const part of result.content) {
    if (part.type === "text") collected.addText(part.text, request);
    else if (part.type === "reasoning") collected.addReasoning(part.text, request);
    else if (part.type === "tool-call") collected.toolCalls.push(readToolCall(part.toolName, part.input));
  }
  return collected.reply(result, request);
}

/** Collects a streamed turn. It counts only if it ends in a known way and no error came in between. */
async function callStreamed(
  client: LanguageModelV4,
  request: ModelRequest,
  options: LanguageModelV4CallOptions,
): Promise<ModelReply> {
  const collected = new Collected();
  const { stream } = await orProviderError(client.doStream(options));
  let finish: Finish | undefined;
  try {
    for await (const part of stream) finish = take(part, collected, request) ?? finish;
  } catch (error) {
    throw errorInAnswer(error);
  }
  return collected.reply(finish, request);
}

async function orProviderError<Value>(calling: PromiseLike<Value>): Promise<Value> {
  try {
    return await calling;
  } catch (error) {
    throw providerError(error);
  }
}

function take(part: LanguageModelV4StreamPart, collected: Collected, request: ModelRequest): Finish | undefined {
  if (part.type === "text-delta") collected.addText(part.delta, request);
  else if (part.type === "reasoning-delta") collected.addReasoning(part.delta, request);
  else if (part.type === "tool-call") collected.toolCalls.push(readToolCall(part.toolName, part.input));
  else if (part.type === "error") throw part.error;
  else if (part.type === "finish") return part;
  return undefined;
}

/** What has come of an answer, and when: how long a provider takes is a fact about it, and no part of the run's own time. */
class Collected {
  #text = "";
  #reasoning = "";
  readonly #startedAt = performance.now();
  #msToFirstToken: number | undefined;
  readonly toolCalls: ModelReply["toolCalls"][number][] = [];

  addText(text: string, request: ModelRequest): void {
    this.#text += text;
    this.#msToFirstToken ??= this.#ms();
    request.onText(text);
  }

  addReasoning(text: string, request: ModelRequest): void {
    this.#reasoning += text;
    this.#msToFirstToken ??= this.#ms();
    request.onReasoning(text);
  }

  /** The turn, if it is whole. */
  reply(finish: Finish | undefined, request: ModelRequest): ModelReply {
    const reason = finish && reasonOf(finish);
    if (finish === undefined || reason === undefined) {
      const { raw, unified = "no end" } = finish?.finishReason ?? {};
      throw new ModelError(`the answer broke off (${raw ?? unified})`, { code: "incomplete" });
    }
    const usage = usageOf(finish.usage);
    if (this.#text === "" && this.toolCalls.length === 0) refuseEmpty(reason, usage, request);
    return {
      text: this.#text,
      toolCalls: this.toolCalls,
      finish: reason,
      ...(this.#reasoning !== "" && { reasoning: this.#reasoning }),
      ...(usage !== undefined && { usage }),
      ms: this.#ms(),
      ...(this.#msToFirstToken !== undefined && { msToFirstToken: this.#msToFirstToken }),
    };
  }

  #ms(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}

/** After its tools have done the work a model may have nothing to add; anywhere else it has not answered. */
function refuseEmpty(reason: ModelReply["finish"], usage: Usage | undefined, { messages }: ModelRequest): void {
  if (reason === "content-filter" || messages().at(-1)?.role === "tool") return;
  const isCut = reason === "length";
  const message = isCut ? "all tokens were used up before the answer began" : "the answer is empty";
  throw new ModelError(message, { code: "empty", isRetryable: !isCut, usage });
}

/** Why a turn ended, where that makes it whole. */
function reasonOf({ finishReason: { unified, raw } }: Finish): ModelReply["finish"] | undefined {
  // What servers that stand in for Google's say of calls.
  if (raw === "FUNCTION_CALL") return "tool-calls";
  const isWhole =
    unified === "stop" || unified === "tool-calls" || unified === "length" || unified === "content-filter";
  return isWhole ? unified : undefined;
}

function usageOf({ inputTokens, outputTokens }: Finish["usage"]): Usage | undefined {
  const [input, output] = [inputTokens.total, outputTokens.total];
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    output,
    cacheRead: inputTokens.cacheRead ?? 0,
    cacheWrite: inputTokens.cacheWrite ?? 0,
    reasoning: outputTokens.reasoning ?? 0,
    total: input + output,
  };
}

function optionsOf(request: ModelRequest, style: CallStyle): LanguageModelV4CallOptions {
  const { temperature, topP, topK, maxOutputTokens } = request.sampling;
  return {
    prompt: promptOf(request),
    abortSignal: request.signal,
    ...(style.options !== undefined && { providerOptions: style.options }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...reasoningOf(request, style),
    ...(request.json !== undefined && { responseFormat: { type: "json" as const, ...schemaOf(request.json) } }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        type: "function" as const,
        name,
        description,
        inputSchema: parameters as object,
      })),
    }),
  };
}

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

type ReasoningOptions = Pick<LanguageModelV4CallOptions, "reasoning" | "providerOptions">;

function reasoningOf({ sampling, agent }: ModelRequest, { options, reasoningBudget }: CallStyle): ReasoningOptions {
  const { reasoning } = sampling;
  if (reasoning === undefined) return {};
  const effort = efforts.find((each) => each === reasoning);
  if (effort !== undefined) return { reasoning: effort };
  if (typeof reasoning === "number" && reasoningBudget !== undefined)
    return { providerOptions: merged(options ?? {}, reasoningBudget(reasoning)) };
  const message = `'reasoning: ${reasoning}' of agent '${agent}' cannot be sent to this provider; it takes ${efforts.join(", ")}`;
  throw new ModelError(message, { code: "bad_reasoning", isRetryable: false });
}

type ProviderOptions = NonNullable<LanguageModelV4CallOptions["providerOptions"]>;

function merged(some: ProviderOptions, others: ProviderOptions): ProviderOptions {
  const entries = Object.entries(others).map(([name, values]) => [name, { ...some[name], ...values }]);
  return { ...some, ...Object.fromEntries(entries) };
}

function schemaOf({ schema }: NonNullable<ModelRequest["json"]>): { readonly schema?: object } {
  return typeof schema === "object" && schema !== null ? { schema } : {};
}
