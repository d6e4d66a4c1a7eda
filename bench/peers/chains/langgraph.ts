import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { type Chain, INPUT } from "../chain.ts";

/** LangGraph: a node per agent that calls the model on the messages so far, fixed edges between them, no checkpoints. */
export function makeChain({ agents, history, answer }: Chain): () => Promise<unknown> {
  const model = new FakeModel(answer);
  const graph = new StateGraph(MessagesAnnotation)
    .addSequence(
      agents.map(({ name, prompt }) => {
        const system = new SystemMessage(prompt);
        const node = async ({ messages }: typeof MessagesAnnotation.State) => ({
          messages: [await model.invoke([system, ...messages])],
        });
        return [name, node] satisfies [string, unknown];
      }),
    )
    .addEdge(START, agents[0]?.name ?? "")
    .addEdge(agents.at(-1)?.name ?? "", END)
    .compile();
  const before = history.map(({ role, content }) =>
    role === "user" ? new HumanMessage(content) : new AIMessage(content),
  );
  return () => {
    const messages: BaseMessage[] = [...before, new HumanMessage(INPUT)];
    return graph.invoke({ messages }, { recursionLimit: agents.length + 2 });
  };
}

class FakeModel extends SimpleChatModel {
  readonly #answer: () => Promise<string>;

  constructor(answer: () => Promise<string>) {
    super({});
    this.#answer = answer;
  }

  override _llmType(): string {
    return "fake";
  }

  override _call(): Promise<string> {
    return this.#answer();
  }
}
