import { defineTool } from "./define-tool.ts";
import type { McpDefinition } from "./mcp-connection.ts";
import type { McpResult } from "./read-mcp-result.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** Creates a tool that calls a server, under the name that agents use. */
export function createMcpTool(
  name: string,
  { description, inputSchema, annotations }: McpDefinition,
  pin: string,
  execute: (args: unknown, context: ToolContext) => Promise<McpResult>,
): Tool {
  const tool = defineTool({
    name,
    description: description ?? name,
    parameters: inputSchema,
    effect: readEffect(annotations),
    execute,
  });
  return { ...tool, pin };
}

function readEffect(annotations: McpDefinition["annotations"]): Tool["effect"] {
  if (annotations?.readOnlyHint === true) return "read";
  return annotations?.idempotentHint === true ? "idempotent" : "once";
}
