import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

/** Creates a tool that stands in for one that is declared nowhere. It takes anything, does nothing, and says so. */
export function createStubTool(name: string): Tool {
  return defineTool({
    name,
    description: `A stub for '${name}', which is not there. Calling it does nothing.`,
    effect: "read",
    execute: () => `This is a stub: the tool '${name}' is not there, so nothing was done and nothing is known.`,
  });
}
