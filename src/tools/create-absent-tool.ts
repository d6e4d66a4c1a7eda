import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

/** What decides when a tool is called, apart from what it does. */
export type ToolHabits = Pick<Tool, "effect" | "isSequential" | "needsApproval">;

/**
 * Creates a placeholder for a tool in runs that call nothing, so that its module is not imported and its server is not started.
 */
export function createAbsentTool(name: string, habits?: ToolHabits): Tool {
  const execute = () => {
    throw new Error(`tool '${name}' was not loaded, since nothing is called here`);
  };
  return { ...defineTool({ name, description: name, execute }), ...habits };
}
