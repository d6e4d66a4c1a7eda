import type { ToolCall } from "../vocabulary/messages.ts";

/** Reads a tool call from the text of its arguments. If the text is not JSON, the call keeps it, with the problem. */
export function readToolCall(name: string, args: string): ToolCall {
  if (args.trim() === "") return { name, args: {} };
  try {
    return { name, args: JSON.parse(args) };
  } catch (error) {
    return { name, args, malformed: error instanceof Error ? error.message : String(error) };
  }
}
