import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { buildPrompt } from "./build-prompt.ts";
import { ModelError, type ModelRequest } from "./model.ts";
import type { Provider } from "./providers.ts";
import type { WireNames } from "./wire-names.ts";

/** What a provider takes in addition to the options that all providers take. */
export type CallStyle = Pick<Provider, "options" | "reasoningBudget" | "wantsMarks">;

/** Builds a request for clients of the AI SDK. */
export function buildCallOptions(
  request: ModelRequest,
  model: string,
  style: CallStyle,
  names: WireNames,
): LanguageModelV4CallOptions {
  const { temperature, topP, topK, maxOutputTokens } = request.sampling;
  return {
    prompt: buildPrompt(request, model, names),
    abortSignal: request.signal,
    ...(style.options !== undefined && { providerOptions: style.options }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...buildReasoning(request, style),
    ...(request.json !== undefined && { responseFormat: { type: "json" as const, ...buildSchema(request.json) } }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        type: "function" as const,
        name: names.sent(name),
        description,
        inputSchema: buildArgumentsSchema(parameters),
      })),
      ...(request.toolChoice !== undefined && { toolChoice: { type: request.toolChoice } }),
    }),
  };
}

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

type ReasoningOptions = Pick<LanguageModelV4CallOptions, "reasoning" | "providerOptions">;

function buildReasoning({ sampling, agent }: ModelRequest, { options, reasoningBudget }: CallStyle): ReasoningOptions {
  const { reasoning } = sampling;
  if (reasoning === undefined) return {};
  const effort = efforts.find((each) => each === reasoning);
  if (effort !== undefined) return { reasoning: effort };
  if (typeof reasoning === "number" && reasoningBudget !== undefined)
    return { providerOptions: mergeOptions(options ?? {}, reasoningBudget(reasoning)) };
  const message = `'reasoning: ${reasoning}' of agent '${agent}' cannot be sent to this provider; it takes ${efforts.join(", ")}`;
  throw new ModelError(message, { code: "bad_reasoning", isRetryable: false });
}

type ProviderOptions = NonNullable<LanguageModelV4CallOptions["providerOptions"]>;

function mergeOptions(some: ProviderOptions, others: ProviderOptions): ProviderOptions {
  const entries = Object.entries(others).map(([name, values]) => [name, { ...some[name], ...values }]);
  return { ...some, ...Object.fromEntries(entries) };
}

/** Providers require that arguments are declared as an object with properties, even if it has none. */
function buildArgumentsSchema(parameters: unknown): object {
  return { type: "object", properties: {}, ...(typeof parameters === "object" ? parameters : undefined) };
}

function buildSchema({ schema }: NonNullable<ModelRequest["json"]>): { readonly schema?: object } {
  return typeof schema === "object" && schema !== null ? { schema } : {};
}
