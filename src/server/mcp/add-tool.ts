import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { ToolAnswer } from "./follow-call.ts";
import type { Exchange } from "./tool-exchange.ts";

/** Adds a tool to a server. What it throws becomes a result that says what was wrong. */
export type AddTool = <Input extends z.ZodType>(
  name: string,
  about: {
    readonly title: string;
    readonly description: string;
    readonly input: Input;
    readonly output?: z.ZodType;
    readonly annotations: ToolAnnotations;
  },
  run: (given: z.output<Input>, exchange: Exchange) => Promise<ToolAnswer> | ToolAnswer,
) => void;

export function tellText(text: string): ToolAnswer {
  return { content: [{ type: "text", text }] };
}

/** Data, and the same as text unless there are better words. */
export function tellData(value: object, text: string = JSON.stringify(value, undefined, 2)): ToolAnswer {
  return { content: [{ type: "text", text }], structuredContent: { ...value } };
}
