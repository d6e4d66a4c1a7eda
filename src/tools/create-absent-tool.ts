import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

/** What decides when a tool is called, apart from what it does. */
export type ToolHabits = Pick<Tool, "effect" | "isSequential" | "needsApproval">;

/** Stands for a tool where nothing is called, so that its module need not be imported, nor its server started. */
export function createAbsentTool(name: string, habits?: ToolHabits): Tool {
  const execute = () => {
    throw new Error(`tool '${name}' was not loaded, since nothing is called here`);
  };
  return { ...defineTool({ name, description: name, execute }), ...habits };
}
