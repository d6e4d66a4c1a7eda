import { Agent } from "@mastra/core/agent";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { z } from "zod";
import { type AgentOfChain, type Chain, INPUT, type Said } from "../chain.ts";
import { fakeLanguageModel } from "./fake-language-model.ts";

type Model = ReturnType<typeof fakeLanguageModel>;

/** Whatever it is: taking the conversation apart at every step would cost, and nothing is learned from it. */
const conversation = z.custom<readonly Said[]>();

/** Mastra: a workflow with a step per agent, each giving the conversation to its agent and passing it on; no storage. */
export function makeChain({ agents, history, answer }: Chain): () => Promise<unknown> {
  const model = fakeLanguageModel(answer);
  const empty = createWorkflow({ id: "chain", inputSchema: conversation, outputSchema: conversation });
  const workflow = agents.reduce((so, agent) => so.then(stepOf(agent, model)), empty).commit();
  return async () => {
    const run = await workflow.createRun();
    const { status } = await run.start({ inputData: [...history, { role: "user", content: INPUT }] });
    if (status !== "success") throw new Error(`the workflow ended as ${status}`);
  };
}

function stepOf({ name, prompt }: AgentOfChain, model: Model) {
  const agent = new Agent({ id: name, name, instructions: prompt, model });
  return createStep({
    id: name,
    inputSchema: conversation,
    outputSchema: conversation,
    execute: async ({ inputData }) => {
      const { text } = await agent.generate([...inputData]);
      return [...inputData, { role: "assistant", content: text } satisfies Said];
    },
  });
}
