import type {
  LanguageModelV2,
  LanguageModelV2FinishReason,
  LanguageModelV2Usage,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { createLanguageModel } from "./language-model.ts";
import { type Model, ModelError, type ModelRequest } from "./model.ts";
import { type AiSdkModel, findBaseProvider } from "./model-choice.ts";
import { providers } from "./providers.ts";

/** Makes a model of a model object of the AI SDK. It is called `name` in events and accounts. */
export function adaptAiSdkModel(name: string, object: AiSdkModel, isStreamed: boolean): Model {
  const known = providers[findBaseProvider(object)];
  const { options, reasoningBudget, wantsMarks } = known ?? { wantsMarks: true };
  const style = {
    ...(options !== undefined && { options }),
    ...(reasoningBudget !== undefined && { reasoningBudget }),
    ...(wantsMarks !== undefined && { wantsMarks }),
  };
  const client = toLatest(object);
  const streaming = createLanguageModel(name, client, { ...style, isStreamed: true });
  const whole = createLanguageModel(name, client, { ...style, isStreamed: false });
  let canStream = isStreamed;
  return {
    name,
    async call(request) {
      if (object.specificationVersion !== "v4") refuseReasoning(request);
      if (!canStream) return whole.call(request);
      try {
        return await streaming.call(request);
      } catch (error) {
        if (!isUnsupported(error)) throw error;
        canStream = false;
        return whole.call(request);
      }
    },
  };
}

/** Models of the AI SDK 5 and 6 ignore this option, so the agent would not get what it asks for. */
function refuseReasoning({ agent, sampling }: ModelRequest): void {
  if (sampling.reasoning === undefined) return;
  const message = `agent '${agent}' sets 'reasoning', which its model object cannot take: set it in the model's own options, or use AI SDK 7`;
  throw new ModelError(message, { code: "bad_reasoning", isRetryable: false });
}

/** Whether a model says that it cannot stream at all, as mocks do that only give whole answers. */
function isUnsupported(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : {};
  const thrown = cause instanceof Error ? cause : error;
  if (!(thrown instanceof Error)) return false;
  return thrown.name === "AI_UnsupportedFunctionalityError" || /^not implemented$/i.test(thrown.message);
}

function toLatest(object: AiSdkModel): LanguageModelV4 {
  // V3 has the same methods and results as V4. The interface says nothing of requests, so that any version fits it.
  if (object.specificationVersion === "v4") return object as unknown as LanguageModelV4;
  if (object.specificationVersion === "v3") return fromV3(object as unknown as LanguageModelV4);
  return fromV2(object as unknown as LanguageModelV2);
}

/** Before V4 the bytes of a file stood there by themselves. */
function fromV3(model: LanguageModelV4): LanguageModelV4 {
  const { specificationVersion, provider, modelId, supportedUrls } = model;
  return {
    ...{ specificationVersion, provider, modelId, supportedUrls },
    doGenerate: (options) => model.doGenerate(withBareFiles(options)),
    doStream: (options) => model.doStream(withBareFiles(options)),
  };
}

function withBareFiles(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const prompt = options.prompt.map((message) => {
    if (message.role !== "user" || message.content.every(({ type }) => type === "text")) return message;
    const content = message.content.map((part) =>
      part.type === "file" && part.data.type === "data" ? { ...part, data: part.data.data } : part,
    );
    return { ...message, content };
  });
  // The types are those of V4, in which files are written in another way.
  return { ...options, prompt: prompt as unknown as LanguageModelV4CallOptions["prompt"] };
}

/** V2 tells finish reasons and usage in another form. */
function fromV2(model: LanguageModelV2): LanguageModelV4 {
  const { provider, modelId } = model;
  return {
    specificationVersion: "v4",
    provider,
    modelId,
    supportedUrls: {},
    async doGenerate(options) {
      // Requests are built from parts that both versions have.
      const result = await model.doGenerate(withBareFiles(options) as Parameters<LanguageModelV2["doGenerate"]>[0]);
      const { finishReason, usage, ...rest } = result;
      const ending = { finishReason: readFinishReason(finishReason), usage: readUsage(usage) };
      return { ...rest, ...ending } as unknown as LanguageModelV4GenerateResult;
    },
    async doStream(options) {
      const { stream } = await model.doStream(withBareFiles(options) as Parameters<LanguageModelV2["doStream"]>[0]);
      const converted = stream.pipeThrough(
        new TransformStream<unknown, LanguageModelV4StreamPart>({
          transform: (part, controller) => controller.enqueue(readPart(part)),
        }),
      );
      return { stream: converted };
    },
  };
}

function readPart(part: unknown): LanguageModelV4StreamPart {
  const known = part as
    | LanguageModelV4StreamPart
    | { type: "finish"; finishReason: string; usage: LanguageModelV2Usage };
  if (known.type !== "finish" || typeof known.finishReason !== "string") return known as LanguageModelV4StreamPart;
  const { finishReason, usage } = known;
  // The type of the union does not tell V2's reason from V4's.
  const ending = readFinishReason(finishReason as LanguageModelV2FinishReason);
  return { type: "finish", finishReason: ending, usage: readUsage(usage as LanguageModelV2Usage) };
}

function readFinishReason(reason: LanguageModelV2FinishReason): LanguageModelV4FinishReason {
  return { unified: reason === "unknown" ? "other" : reason, raw: reason };
}

function readUsage({
  inputTokens,
  outputTokens,
  reasoningTokens,
  cachedInputTokens,
}: LanguageModelV2Usage): LanguageModelV4Usage {
  return {
    inputTokens: { total: inputTokens, noCache: undefined, cacheRead: cachedInputTokens, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: reasoningTokens },
  };
}
