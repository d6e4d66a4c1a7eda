import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Model as ModelName } from "../crew.ts";
import { BatonError } from "../errors.ts";
import type { Usage } from "../events.ts";
import { type Model, ModelError, type ModelReply, type ModelRequest, modelErrorOf } from "./model.ts";
import { promptOf } from "./prompt-of.ts";
import { readToolCall } from "./read-tool-call.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Providers that speak OpenAI's chat format: their address, and the variable that holds their key. */
const known: Readonly<Record<string, { readonly url: string; readonly key: string | undefined }>> = {
  openai: { url: "https://api.openai.com/v1", key: "OPENAI_API_KEY" },
  ollama: { url: "http://localhost:11434/v1", key: undefined },
};

/** A model behind any address that speaks OpenAI's chat format. */
export function createCompatibleModel({ provider, model, url }: ModelName, variables: Variables): Model {
  const prefix = provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
  const baseURL = url ?? variables[`${prefix}_BASE_URL`] ?? known[provider]?.url;
  if (baseURL === undefined) {
    const message = `provider '${provider}' has no address: set ${prefix}_BASE_URL, or use one of ${Object.keys(known).join(", ")}`;
    throw new BatonError("unknown-provider", message);
  }
  const keyName = known[provider]?.key ?? `${prefix}_API_KEY`;
  const apiKey = variables[keyName];
  if (apiKey === undefined && known[provider]?.key !== undefined && url === undefined) {
    throw new BatonError(
      "no-key",
      `provider '${provider}' needs a key: set ${keyName}. The examples run offline with --script`,
    );
  }
  // Without includeUsage a streamed answer comes without its token counts.
  const settings = { name: provider, baseURL, includeUsage: true, ...(apiKey !== undefined && { apiKey }) };
  const client: LanguageModelV4 = createOpenAICompatible(settings).languageModel(model);
  return { name: `${provider}/${model}`, call: (request) => call(client, request) };
}

async function call(client: LanguageModelV4, request: ModelRequest): Promise<ModelReply> {
  try {
    const { stream } = await client.doStream(optionsOf(request));
    return await readStream(stream, request);
  } catch (error) {
    throw modelErrorOf(error);
  }
}

function optionsOf(request: ModelRequest): LanguageModelV4CallOptions {
  const { temperature, topP, topK, maxOutputTokens } = request.sampling;
  return {
    prompt: promptOf(request),
    abortSignal: request.signal,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...reasoningOf(request),
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

function reasoningOf({ sampling, agent }: ModelRequest): Pick<LanguageModelV4CallOptions, "reasoning"> {
  const { reasoning } = sampling;
  if (reasoning === undefined) return {};
  const effort = efforts.find((each) => each === reasoning);
  if (effort !== undefined) return { reasoning: effort };
  const message = `'reasoning: ${reasoning}' of agent '${agent}' cannot be sent to this provider; it takes ${efforts.join(", ")}`;
  throw new ModelError(message, { code: "bad_reasoning", isRetryable: false });
}

function schemaOf({ schema }: NonNullable<ModelRequest["json"]>): { readonly schema?: object } {
  return typeof schema === "object" && schema !== null ? { schema } : {};
}

/** Collects a streamed turn. It counts only if it ends in a known way and no error came in between. */
async function readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  request: ModelRequest,
): Promise<ModelReply> {
  let text = "";
  let reasoning = "";
  const toolCalls: ModelReply["toolCalls"][number][] = [];
  let finish: Extract<LanguageModelV4StreamPart, { type: "finish" }> | undefined;
  for await (const part of stream) {
    if (part.type === "text-delta") {
      text += part.delta;
      request.onText(part.delta);
    } else if (part.type === "reasoning-delta") {
      reasoning += part.delta;
      request.onReasoning(part.delta);
    } else if (part.type === "tool-call") toolCalls.push(readToolCall(part.toolName, part.input));
    else if (part.type === "error") throw modelErrorOf(part.error);
    else if (part.type === "finish") finish = part;
  }
  const reason = finish?.finishReason.unified;
  if (finish === undefined || !isComplete(reason)) {
    throw new ModelError(`the answer broke off (${reason ?? "no end"})`, { code: "incomplete" });
  }
  return {
    text,
    toolCalls,
    finish: reason,
    ...(reasoning !== "" && { reasoning }),
    ...usageOf(finish.usage),
  };
}

function isComplete(reason: string | undefined): reason is ModelReply["finish"] {
  return reason === "stop" || reason === "tool-calls" || reason === "length" || reason === "content-filter";
}

function usageOf({ inputTokens, outputTokens }: Extract<LanguageModelV4StreamPart, { type: "finish" }>["usage"]): {
  readonly usage?: Usage;
} {
  const [input, output] = [inputTokens.total, outputTokens.total];
  if (input === undefined || output === undefined) return {};
  const usage = {
    input,
    output,
    cacheRead: inputTokens.cacheRead ?? 0,
    cacheWrite: inputTokens.cacheWrite ?? 0,
    reasoning: outputTokens.reasoning ?? 0,
    total: input + output,
  };
  return { usage };
}
