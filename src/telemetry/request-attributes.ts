import type { Attributes } from "@opentelemetry/api";
import { type Message, quoteOther } from "../vocabulary/messages.ts";

/** A request as it was sent to a model. */
export interface SentRequest {
  /** The call's place in the run. */
  readonly path: string;
  readonly agent: string;
  /** The address of the model's server, if it is known. */
  readonly server: { readonly address: string; readonly port: number } | undefined;
  readonly system: string;
  readonly messages: () => readonly Message[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: unknown }[];
  readonly sampling: {
    readonly temperature: number | undefined;
    readonly topP: number | undefined;
    readonly topK: number | undefined;
    readonly maxOutputTokens: number | undefined;
  };
  readonly json: unknown;
}

/** Lists what a request adds to the span of its call, without content. */
export function listRequestAttributes({ server, sampling, json }: SentRequest): Attributes {
  const { temperature, topP, topK, maxOutputTokens } = sampling;
  return {
    ...(server !== undefined && { "server.address": server.address, "server.port": server.port }),
    ...(temperature !== undefined && { "gen_ai.request.temperature": temperature }),
    ...(topP !== undefined && { "gen_ai.request.top_p": topP }),
    ...(topK !== undefined && { "gen_ai.request.top_k": topK }),
    ...(maxOutputTokens !== undefined && { "gen_ai.request.max_tokens": maxOutputTokens }),
    ...(json !== undefined && { "gen_ai.output.type": "json" }),
  };
}

/** Lists the content of a request as the semantic conventions write it: instructions, tools and all messages. */
export function listRequestContent(request: SentRequest, redactValue: (value: unknown) => unknown): Attributes {
  const { system, tools } = request;
  const definitions = tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    parameters,
  }));
  return {
    // Messages come from events, which are redacted already. Prompts and tools come from files, which are not.
    "gen_ai.input.messages": JSON.stringify(listInputMessages(request)),
    ...(system !== "" && {
      "gen_ai.system_instructions": JSON.stringify(redactValue([{ type: "text", content: system }])),
    }),
    ...(tools.length > 0 && { "gen_ai.tool.definitions": JSON.stringify(redactValue(definitions)) }),
  };
}

interface InputMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly parts: readonly unknown[];
}

/**
 * The agent's own words have the role assistant; everything else comes from the user. The id of a tool call is its place in the
 * run, the same as on its span. Calls of an earlier session in the history get ids of their own.
 */
function listInputMessages({ path, agent, messages }: SentRequest): InputMessage[] {
  const [, session = "", turns = "0"] = /^(.*)\/t(\d+)\/m\d+$/.exec(path) ?? [];
  const said = messages();
  const isOwn = (message: Message) => message.role === "agent" && message.agent === agent;
  let turn = Number(turns) - said.filter(isOwn).length;
  let pending: string[] = [];
  return said.flatMap((message): InputMessage[] => {
    if (message.role === "user") return [{ role: "user", parts: [createTextPart(message.text)] }];
    if (message.agent !== agent) return [{ role: "user", parts: [createTextPart(quoteOther(message))] }];
    if (message.role === "tool") {
      const id = pending.shift();
      return [{ role: "tool", parts: [{ type: "tool_call_response", id, response: message.text }] }];
    }
    const place = turn < 0 ? `${session}/earlier${-turn}` : `${session}/t${turn}`;
    turn++;
    const calls = message.toolCalls.map(({ name, args }, index) => ({
      type: "tool_call",
      id: `${place}/c${index}`,
      name,
      arguments: args,
    }));
    pending = calls.map(({ id }) => id);
    const parts = [...(message.text === "" ? [] : [createTextPart(message.text)]), ...calls];
    return parts.length === 0 ? [] : [{ role: "assistant", parts }];
  });
}

export function createTextPart(content: string): { readonly type: "text"; readonly content: string } {
  return { type: "text", content };
}
