import type { Attributes } from "@opentelemetry/api";
import type { Agent } from "../crew.ts";
import type { BatonEvent, EventData, EventPlace } from "../events.ts";
import { finishReason } from "./finish-reason.ts";

/** What was said and done in a run, for spans that are to have it. */
interface Content {
  /** Takes in an event, and gives what it adds to the span at its place. */
  see(event: BatonEvent): Attributes;
}

interface ContentOptions {
  readonly capturesContent: boolean;
  readonly agentOf: (place: EventPlace) => Agent | undefined;
  readonly redact: (text: string) => string;
}

interface Message {
  readonly role: "user" | "assistant" | "tool";
  readonly parts: readonly unknown[];
}

const nothing: Attributes = {};

/** Nothing unless it is asked for. What is in events has no secrets any more. */
export function createContent({ capturesContent, agentOf, redact }: ContentOptions): Content {
  const sessions = new Map<string, Message[]>();
  if (!capturesContent) return { see: () => nothing };

  const hear = (event: BatonEvent, input: string): Attributes => {
    const message: Message = { role: "user", parts: [textPart(input)] };
    const heard = sessions.get(event.path);
    if (heard !== undefined) {
      heard.push(message);
      return nothing;
    }
    sessions.set(event.path, [message]);
    const prompt = agentOf(event)?.prompt ?? "";
    return {
      "gen_ai.input.messages": JSON.stringify([message]),
      ...(prompt !== "" && { "gen_ai.system_instructions": JSON.stringify([textPart(redact(prompt))]) }),
    };
  };
  const respond = (event: BatonEvent, response: string): Attributes => {
    const part = { type: "tool_call_response", id: event.path, response };
    sessionOf(event.path, sessions)?.push({ role: "tool", parts: [part] });
    return { "gen_ai.tool.call.result": response };
  };
  return {
    see(event) {
      switch (event.type) {
        case "run.started":
        case "crew.entered":
          return { "gen_ai.input.messages": JSON.stringify([{ role: "user", parts: [textPart(event.data.input)] }]) };
        case "agent.started":
        case "agent.told":
          return hear(event, event.data.input);
        case "model.called":
          return { "gen_ai.input.messages": JSON.stringify(sessionOf(event.path, sessions) ?? []) };
        case "model.completed": {
          const said: Message = { role: "assistant", parts: partsOf(event.data, event.path) };
          sessionOf(event.path, sessions)?.push(said);
          return outputOf({ ...said, finish_reason: finishReason(event.data.finish) });
        }
        case "tool.called":
          return { "gen_ai.tool.call.arguments": JSON.stringify(event.data.args) ?? "" };
        case "tool.completed":
          return respond(event, event.data.result);
        case "tool.failed":
          return respond(event, event.data.message);
        case "agent.completed":
          return outputOf({ role: "assistant", parts: [textPart(event.data.answer)], finish_reason: "stop" });
        case "crew.left":
        case "run.completed":
        case "run.failed":
          return outputOf({ role: "assistant", parts: [textPart(event.data.output)], finish_reason: "stop" });
        default:
          return nothing;
      }
    },
  };
}

function textPart(content: string): { readonly type: "text"; readonly content: string } {
  return { type: "text", content };
}

function outputOf(message: Message & { readonly finish_reason: string }): Attributes {
  return { "gen_ai.output.messages": JSON.stringify([message]) };
}

/** A reply as parts; a tool call's id is the place where it is made. */
function partsOf({ text, reasoning, toolCalls }: EventData["model.completed"], path: string): unknown[] {
  const turn = path.slice(0, path.lastIndexOf("/"));
  return [
    ...(reasoning === undefined ? [] : [{ type: "reasoning", content: reasoning }]),
    ...(text === "" ? [] : [textPart(text)]),
    ...toolCalls.map(({ name, args }, index) => ({
      type: "tool_call",
      id: `${turn}/c${index}`,
      name,
      arguments: args,
    })),
  ];
}

/** What was said in the session that a place is in. */
function sessionOf(path: string, sessions: ReadonlyMap<string, Message[]>): Message[] | undefined {
  for (let above = path; above !== ""; above = above.slice(0, Math.max(0, above.lastIndexOf("/")))) {
    const session = sessions.get(above);
    if (session !== undefined) return session;
  }
  return undefined;
}
