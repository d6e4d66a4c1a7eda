import type { CrewEnvironment, CrewSetup, ToolRegistry } from "../runtime/environment.ts";
import type { Tool } from "../tools/tool.ts";

/** The environment of a crew as it is used inside. */
export function readSetup({ tools, models, script, env, ...others }: CrewEnvironment): CrewSetup {
  return {
    ...others,
    ...(tools !== undefined && { tools: listTools(tools) }),
    models: {
      ...(models !== undefined && { custom: models }),
      ...(script !== undefined && { script }),
      ...(env !== undefined && { variables: env }),
    },
  };
}

/** The tools of a list or record. In a record, the key is the tool's name. */
export function listTools(tools: ToolRegistry): readonly Tool[] {
  if (isList(tools)) return tools;
  return Object.entries(tools).map(([name, tool]) => (tool.name === name ? tool : { ...tool, name }));
}

function isList(tools: ToolRegistry): tools is readonly Tool[] {
  return Array.isArray(tools);
}
