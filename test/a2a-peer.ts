import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AgentCard, formatSSEEvent, type Message, Role, type Task, TaskState } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from "@a2a-js/sdk/server";
import { afterEach } from "vitest";

/** An agent of another system: the SDK's own request handler, over HTTP. */
export interface Peer {
  readonly card: string;
  /** The methods that it was asked for, in order. */
  readonly methods: readonly string[];
  /** What each request had in its header. */
  readonly tokens: readonly (string | undefined)[];
}

interface PeerOptions {
  /** What it answers in a task; a question ends with a question mark. */
  readonly answer?: (text: string, message: Message) => string | Promise<string>;
  /** Changes what it sends, as one that lies does. */
  readonly lie?: (method: string, result: unknown) => unknown;
  /** Takes a request away from it. */
  readonly intercept?: (method: string, response: ServerResponse) => boolean;
  readonly describe?: () => string;
  readonly interfaceUrl?: string;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

export async function openPeer(options: PeerOptions = {}): Promise<Peer> {
  const {
    answer = () => "Five.",
    lie = (_, result) => result,
    intercept = () => false,
    describe = () => "A peer",
  } = options;
  const methods: string[] = [];
  const tokens: (string | undefined)[] = [];
  const server = createServer((request, response) => void serve(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = (): AgentCard =>
    AgentCard.fromJSON({
      name: "peer",
      description: describe(),
      version: "1",
      supportedInterfaces: [
        { url: options.interfaceUrl ?? `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      ],
      capabilities: { streaming: true },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [],
    });
  const handler = new DefaultRequestHandler(card(), new InMemoryTaskStore(), createExecutor(answer));
  const rpc = new JsonRpcTransportHandler(handler);
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    tokens.push(request.headers.authorization);
    if (request.url?.startsWith("/card")) {
      if (!intercept("card", response)) response.end(JSON.stringify(AgentCard.toJSON(card())));
      return;
    }
    let text = "";
    for await (const part of request) text += part;
    const body: { readonly method: string } = JSON.parse(text);
    methods.push(body.method);
    if (intercept(body.method, response)) return;
    const answered = await rpc.handle(text, new ServerCallContext({ requestedVersion: "1.0" }));
    if (Symbol.asyncIterator in answered) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for await (const each of answered) response.write(formatSSEEvent(each));
      response.end();
      return;
    }
    const told = "result" in answered ? { ...answered, result: lie(body.method, answered.result) } : answered;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(told));
  }
  return { card: `${url}/card`, methods, tokens };
}

function createExecutor(answer: NonNullable<PeerOptions["answer"]>): AgentExecutor {
  return {
    async execute({ userMessage, taskId, contextId, task }, bus) {
      const ids = { id: taskId, contextId };
      const say = (text: string): Message => ({
        ...{ messageId: crypto.randomUUID(), taskId, contextId, role: Role.ROLE_AGENT },
        parts: [
          { content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "text/plain" },
        ],
        ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
      });
      const stand = (state: TaskState, message?: Message): Task => ({
        ...ids,
        status: { state, message, timestamp: new Date().toISOString() },
        artifacts: [],
        history: [...(task?.history ?? []), userMessage],
        metadata: undefined,
      });
      bus.publish(AgentEvent.task(stand(TaskState.TASK_STATE_WORKING)));
      const [part] = userMessage.parts;
      const text = await answer(part?.content?.$case === "text" ? part.content.value : "", userMessage);
      const state = text.endsWith("?") ? TaskState.TASK_STATE_INPUT_REQUIRED : TaskState.TASK_STATE_COMPLETED;
      bus.publish(AgentEvent.task(stand(state, say(text))));
      bus.finished();
    },
    async cancelTask() {},
  };
}
