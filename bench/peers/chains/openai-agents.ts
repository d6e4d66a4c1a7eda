import { Agent, type AgentInputItem, assistant, type Model, Runner, Usage, user } from "@openai/agents";
import { type Chain, INPUT } from "../chain.ts";

/** OpenAI Agents: each agent may hand off to the next, and the model does so by calling the tool of that handoff. */
export function makeChain({ agents: list, history, answer }: Chain): () => Promise<unknown> {
  const runner = new Runner({ tracingDisabled: true, model: fakeModel(answer) });
  const first = list.reduceRight<Agent | undefined>(
    (next, { name, prompt }) => new Agent({ name, instructions: prompt, handoffs: next === undefined ? [] : [next] }),
    undefined,
  );
  if (first === undefined) throw new Error("a chain has agents");
  const before = history.map(({ role, content }) => (role === "user" ? user(content) : assistant(content)));
  return () => {
    const input: AgentInputItem[] = [...before, user(INPUT)];
    return runner.run(first, input, { maxTurns: list.length + 1 });
  };
}

/** Calls the handoff it is offered; the last agent, which has none, gets a plain answer. */
function fakeModel(answer: () => Promise<string>): Model {
  let calls = 0;
  return {
    getResponse: async ({ handoffs: [next] }) => {
      const text = await answer();
      const usage = new Usage();
      if (next === undefined) return { usage, output: [assistant(text)] };
      // Calls with the same id would be taken for one, and the conversation would not grow.
      const callId = `call_${calls++}`;
      const name = next.toolName;
      return { usage, output: [{ type: "function_call", callId, name, status: "completed", arguments: "{}" }] };
    },
    getStreamedResponse: () => {
      throw new Error("nothing streams here");
    },
  };
}
