import type { ToolCall } from "../vocabulary/messages.ts";

/** A tool call from the text of its arguments; what is no JSON is kept as it is, with what is wrong with it. */
export function readToolCall(name: string, args: string): ToolCall {
  if (args.trim() === "") return { name, args: {} };
  try {
    return { name, args: JSON.parse(args) };
  } catch (error) {
    return { name, args, malformed: error instanceof Error ? error.message : String(error) };
  }
}
