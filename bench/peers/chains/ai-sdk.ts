import type { LanguageModelV4 } from "@ai-sdk/provider";
import { generateText, type ModelMessage } from "ai";
import { type Chain, INPUT } from "../chain.ts";

/** The AI SDK has no handoffs: a loop over `generateText`, one call per agent, each answer added to the messages. */
export function makeChain({ agents, history, answer }: Chain): () => Promise<unknown> {
  const model = fakeModel(answer);
  return async () => {
    const messages: ModelMessage[] = [...history, { role: "user", content: INPUT }];
    for (const { prompt } of agents) {
      const { text } = await generateText({ model, instructions: prompt, messages });
      messages.push({ role: "assistant", content: text });
    }
  };
}

function fakeModel(answer: () => Promise<string>): LanguageModelV4 {
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
