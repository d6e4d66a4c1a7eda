import type { LanguageModelV4 } from "@ai-sdk/provider";

/** The AI SDK's model interface, which Mastra takes too. */
export function fakeLanguageModel(answer: () => Promise<string>): LanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  return {
    specificationVersion: "v4",
    provider: "fake",
    modelId: "fake",
    supportedUrls: {},
    doGenerate: async () => ({
      content: [{ type: "text", text: await answer() }],
      finishReason: { unified: "stop", raw: undefined },
      usage,
      warnings: [],
    }),
    doStream: () => Promise.reject(new Error("nothing streams here")),
  };
}
