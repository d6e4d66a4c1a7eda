import {
  BaseLlm,
  type BaseLlmConnection,
  BaseSessionService,
  createEvent,
  type Event,
  LlmAgent,
  type LlmResponse,
  Runner,
  type Session,
} from "@google/adk";
import { type Chain, INPUT } from "../chain.ts";

/** Google ADK: each agent is the parent of the next and hands over with `transfer_to_agent`; sessions are plain objects. */
export function makeChain({ agents, history, answer }: Chain): () => Promise<unknown> {
  const root = agents.reduceRight<LlmAgent | undefined>((next, { name, prompt }) => {
    const subAgents = next === undefined ? [] : [next];
    return new LlmAgent({ name, instruction: prompt, model: new FakeModel(answer, next?.name), subAgents });
  }, undefined);
  if (root === undefined) throw new Error("a chain has agents");
  const events = history.map(({ role, content }) => {
    const author = role === "user" ? "user" : root.name;
    return createEvent({ author, content: { role: role === "user" ? "user" : "model", parts: [{ text: content }] } });
  });
  const runner = new Runner({ appName: "chain", agent: root, sessionService: new SessionsOf(events) });
  const newMessage = { role: "user", parts: [{ text: INPUT }] };
  return async () => {
    for await (const _ of runner.runAsync({ userId: "user", sessionId: "session", newMessage }));
  };
}

class FakeModel extends BaseLlm {
  readonly #answer: () => Promise<string>;
  readonly #next: string | undefined;

  constructor(answer: () => Promise<string>, next: string | undefined) {
    super({ model: "fake" });
    this.#answer = answer;
    this.#next = next;
  }

  override async *generateContentAsync(): AsyncGenerator<LlmResponse, void> {
    const text = await this.#answer();
    const call = { functionCall: { name: "transfer_to_agent", args: { agentName: this.#next } } };
    yield { content: { role: "model", parts: [this.#next === undefined ? { text } : call] } };
  }

  override connect(): Promise<BaseLlmConnection> {
    return Promise.reject(new Error("nothing is live here"));
  }
}

/** A session for every run that begins with the history and that nothing is copied into. */
class SessionsOf extends BaseSessionService {
  readonly #events: readonly Event[];

  constructor(events: readonly Event[]) {
    super();
    this.#events = events;
  }

  override async getSession(): Promise<Session> {
    return { id: "session", appName: "chain", userId: "user", state: {}, events: [...this.#events], lastUpdateTime: 0 };
  }

  override createSession(): Promise<Session> {
    return this.getSession();
  }

  override async listSessions() {
    return { sessions: [], page: 1, limit: 0, totalItems: 0, totalPages: 0 };
  }

  override async deleteSession(): Promise<void> {}
}
