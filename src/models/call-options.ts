import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { ModelError, type ModelRequest } from "./model.ts";
import { promptOf } from "./prompt-of.ts";
import type { Provider } from "./providers.ts";
import type { WireNames } from "./wire-names.ts";

/** What a provider takes besides what all take. */
export type CallStyle = Pick<Provider, "options" | "reasoningBudget" | "wantsMarks">;

/** A request as clients of the AI SDK take it. */
export function callOptions(
  request: ModelRequest,
  model: string,
  style: CallStyle,
  names: WireNames,
): LanguageModelV4CallOptions {
  const { temperature, topP, topK, maxOutputTokens } = request.sampling;
  return {
    prompt: promptOf(request, model, names),
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
        name: names.sent(name),
        description,
        inputSchema: schemaOfArguments(parameters),
      })),
      ...(request.toolChoice !== undefined && { toolChoice: { type: request.toolChoice } }),
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

/** Providers want to be told that arguments are an object, and of what, even if of nothing. */
function schemaOfArguments(parameters: unknown): object {
  return { type: "object", properties: {}, ...(typeof parameters === "object" ? parameters : undefined) };
}

function schemaOf({ schema }: NonNullable<ModelRequest["json"]>): { readonly schema?: object } {
  return typeof schema === "object" && schema !== null ? { schema } : {};
}
