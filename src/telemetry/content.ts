import type { Attributes } from "@opentelemetry/api";
import type { Agent } from "../vocabulary/crew.ts";
import type { BatonEvent, EventData, EventPlace } from "../vocabulary/events.ts";
import { finishReason } from "./finish-reason.ts";
import { createTextPart } from "./request-attributes.ts";

interface ContentOptions {
  readonly agentOf: (place: EventPlace) => Agent | undefined;
  readonly redactValue: (value: unknown) => unknown;
}

const nothing: Attributes = {};

/** What an event says, for the span at its place. Events are redacted already; prompts come from files and are not. */
export function listContent(event: BatonEvent, { agentOf, redactValue }: ContentOptions): Attributes {
  switch (event.type) {
    case "run.started":
    case "crew.entered":
      return formatInput(event.data.input);
    case "agent.started": {
      const prompt = agentOf(event)?.prompt ?? "";
      const instructions = prompt === "" ? undefined : JSON.stringify(redactValue([createTextPart(prompt)]));
      return {
        ...formatInput(event.data.input),
        ...(instructions !== undefined && { "gen_ai.system_instructions": instructions }),
      };
    }
    case "model.completed":
      return formatOutput(listParts(event.data, event.path), finishReason(event.data.finish));
    case "tool.called":
      return { "gen_ai.tool.call.arguments": JSON.stringify(event.data.args) ?? "" };
    case "tool.completed":
    case "function.completed":
      return { "gen_ai.tool.call.result": event.data.result };
    case "tool.failed":
    case "function.failed":
      return { "gen_ai.tool.call.result": event.data.message };
    case "agent.completed":
      return formatOutput([createTextPart(event.data.answer)]);
    case "crew.left":
    case "run.completed":
    case "run.failed":
      return formatOutput([createTextPart(event.data.output)]);
    default:
      return nothing;
  }
}

function formatInput(text: string): Attributes {
  return { "gen_ai.input.messages": JSON.stringify([{ role: "user", parts: [createTextPart(text)] }]) };
}

function formatOutput(parts: readonly unknown[], finish_reason = "stop"): Attributes {
  return { "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts, finish_reason }]) };
}

/** A reply as parts. The id of a tool call is its place in the run. */
function listParts({ text, reasoning, toolCalls }: EventData["model.completed"], path: string): unknown[] {
  const turn = path.slice(0, path.lastIndexOf("/"));
  return [
    ...(reasoning === undefined ? [] : [{ type: "reasoning", content: reasoning }]),
    ...(text === "" ? [] : [createTextPart(text)]),
    ...toolCalls.map(({ name, args }, index) => ({
      type: "tool_call",
      id: `${turn}/c${index}`,
      name,
      arguments: args,
    })),
  ];
}
