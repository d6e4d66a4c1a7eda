import { createAgent, createNetwork, createState, openai, type TextMessage } from "@inngest/agent-kit";
import { type Chain, INPUT } from "../chain.ts";

/** AgentKit: a network whose router, plain code, names the next agent; outside Inngest, so without durable steps. */
export function makeChain({ agents: list, history, answer }: Chain): () => Promise<unknown> {
  answerFetch(answer);
  const agents = list.map(({ name, prompt }) => createAgent({ name, system: prompt, model: fakeModel() }));
  const network = createNetwork({ name: "chain", agents, router: ({ callCount }) => agents[callCount] });
  const messages = history.map((said): TextMessage => ({ type: "text", ...said }));
  return () => network.run(INPUT, { state: createState({}, { messages }) });
}

/** The body is emptied before it becomes JSON: no other peer's fake model pays for a request that is not sent. */
function fakeModel(): ReturnType<typeof openai> {
  return {
    ...openai({ model: "fake", apiKey: "none" }),
    onCall: (_, body) => {
      body.messages = [];
    },
  };
}

/** AgentKit's models are descriptions of requests that it sends with `fetch`: what answers instantly has to be that. */
function answerFetch(answer: () => Promise<string>): void {
  globalThis.fetch = async () => {
    const content = await answer();
    const body = { choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }] };
    // Only this part of a response is read, and making a real one would cost more than AgentKit does.
    return { json: () => body } as unknown as Response;
  };
}
