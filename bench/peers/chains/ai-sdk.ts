import { generateText, type ModelMessage } from "ai";
import { type Chain, INPUT } from "../chain.ts";
import { fakeLanguageModel } from "./fake-language-model.ts";

/** The AI SDK has no handoffs: a loop over `generateText`, one call per agent, each answer added to the messages. */
export function makeChain({ agents, history, answer }: Chain): () => Promise<unknown> {
  const model = fakeLanguageModel(answer);
  return async () => {
    const messages: ModelMessage[] = [...history, { role: "user", content: INPUT }];
    for (const { prompt } of agents) {
      const { text } = await generateText({ model, instructions: prompt, messages });
      messages.push({ role: "assistant", content: text });
    }
  };
}
