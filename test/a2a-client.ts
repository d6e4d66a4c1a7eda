import {
  type Message,
  Role,
  type SendMessageConfiguration,
  type StreamResponse,
  type Task,
  TaskState,
} from "@a2a-js/sdk";
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";

export const bindings = ["JSONRPC", "HTTP+JSON"] as const;

/** The SDK's own client, by one of the bindings. */
export function connect(
  { url }: { readonly url: string },
  { token = "bt_operator", crew = "desk", binding = "JSONRPC" as (typeof bindings)[number] } = {},
) {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
  const cardResolver = new DefaultAgentCardResolver({ fetchImpl });
  const options = { ...ClientFactoryOptions.default, transports, preferredTransports: [binding], cardResolver };
  return new ClientFactory(options).createFromUrl(url, `/a2a/${crew}/.well-known/agent-card.json`);
}

let messages = 0;

export function say(text: string, ids: { readonly taskId?: string; readonly contextId?: string } = {}): Message {
  const { taskId = "", contextId = "" } = ids;
  return {
    ...{ messageId: `m${messages++}`, taskId, contextId, role: Role.ROLE_USER },
    parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "text/plain" }],
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
  };
}

export function request(message: Message, given: Partial<SendMessageConfiguration> = {}) {
  const configuration = {
    ...{ acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: false },
    ...given,
  };
  return { tenant: "", message, configuration, metadata: undefined };
}

export async function send(
  client: Awaited<ReturnType<typeof connect>>,
  message: Message,
  given?: Partial<SendMessageConfiguration>,
) {
  // A crew answers with tasks.
  return (await client.sendMessage(request(message, given))) as Task;
}

export function textOf({ parts = [] }: { readonly parts?: Message["parts"] } = {}): string {
  return parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");
}

export async function collect(updates: AsyncIterable<StreamResponse>) {
  const told: string[] = [];
  for await (const { payload } of updates) {
    if (payload?.$case === "task") told.push(`task ${TaskState[payload.value.status?.state ?? 0]}`);
    if (payload?.$case === "statusUpdate") {
      const { state = 0, message } = payload.value.status ?? {};
      told.push(`${TaskState[state]} ${textOf(message)}`.trim());
    }
    if (payload?.$case === "artifactUpdate") told.push(`output ${textOf(payload.value.artifact)}`);
  }
  return told.map((line) => line.replace("TASK_STATE_", ""));
}
