import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { buildPrompt } from "./build-prompt.ts";
import { ModelError, type ModelRequest } from "./model.ts";
import type { Provider } from "./providers.ts";
import { toStrictSchema } from "./strict-schema.ts";
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
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...buildReasoning(request),
    ...(request.json !== undefined && { responseFormat: { type: "json" as const, ...buildSchema(request.json) } }),
    ...buildProviderOptions(request, style),
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

function buildReasoning({ sampling }: ModelRequest): Pick<LanguageModelV4CallOptions, "reasoning"> {
  const effort = efforts.find((each) => each === sampling.reasoning);
  return effort === undefined ? {} : { reasoning: effort };
}

type ProviderOptions = NonNullable<LanguageModelV4CallOptions["providerOptions"]>;

/** A schema that strict mode cannot say is sent without it: OpenAI would refuse the whole request. */
const loose: ProviderOptions = { openai: { strictJsonSchema: false }, openaiCompatible: { strictJsonSchema: false } };

function buildProviderOptions(
  request: ModelRequest,
  style: CallStyle,
): Pick<LanguageModelV4CallOptions, "providerOptions"> {
  const { schema } = request.json ?? {};
  const isLoose = schema !== undefined && toStrictSchema(schema) === undefined;
  const parts = [style.options, buildBudget(request, style), isLoose ? loose : undefined];
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? {} : { providerOptions: given.reduce(mergeOptions) };
}

function buildBudget({ sampling, agent }: ModelRequest, { reasoningBudget }: CallStyle): ProviderOptions | undefined {
  const { reasoning } = sampling;
  if (reasoning === undefined || efforts.some((each) => each === reasoning)) return undefined;
  if (typeof reasoning === "number" && reasoningBudget !== undefined) return reasoningBudget(reasoning);
  const message = `'reasoning: ${reasoning}' of agent '${agent}' cannot be sent to this provider; it takes ${efforts.join(", ")}`;
  throw new ModelError(message, { code: "bad_reasoning", isRetryable: false });
}

function mergeOptions(some: ProviderOptions, others: ProviderOptions): ProviderOptions {
  const entries = Object.entries(others).map(([name, values]) => [name, { ...some[name], ...values }]);
  return { ...some, ...Object.fromEntries(entries) };
}

/** Providers require that arguments are declared as an object with properties, even if it has none. */
function buildArgumentsSchema(parameters: unknown): object {
  return { type: "object", properties: {}, ...(typeof parameters === "object" ? parameters : undefined) };
}

function buildSchema({ schema }: NonNullable<ModelRequest["json"]>): { readonly schema?: object } {
  return typeof schema === "object" && schema !== null ? { schema: toStrictSchema(schema) ?? schema } : {};
}
