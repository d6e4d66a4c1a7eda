import { BatonError } from "../errors.ts";
import { defineTool } from "./define-tool.ts";
import type { McpDefinition } from "./mcp-connection.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** The tool of a server, under the name that agents know it by. */
export function createMcpTool(
  name: string,
  { description, inputSchema, annotations }: McpDefinition,
  execute: (args: unknown, context: ToolContext) => Promise<string>,
): Tool {
  return defineTool({
    name: nameForModels(name),
    description: description ?? name,
    parameters: inputSchema,
    effect: effectOf(annotations),
    execute,
  });
}

/** Stands for a tool of a server that is not started, where nothing is called. */
export function absentMcpTool(name: string): Tool {
  const execute = () => {
    throw new Error(`${name} is not there: its server was not started`);
  };
  return defineTool({ name: nameForModels(name), description: name, execute });
}

/** Providers take letters, digits, _ and - only, and 64 of them. */
function nameForModels(name: string): string {
  const plain = name.replaceAll(/[^\w-]/g, "_");
  if (plain.length <= 64) return plain;
  throw new BatonError(
    "bad-tool-name",
    `'${name}' is longer than the 64 characters that models take: shorten the server's name`,
  );
}

function effectOf(annotations: McpDefinition["annotations"]): Tool["effect"] {
  if (annotations?.readOnlyHint === true) return "read";
  return annotations?.idempotentHint === true ? "idempotent" : "once";
}
