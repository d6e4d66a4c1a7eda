import type { ToolModule } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { defineTool, type ToolDefinition } from "./define-tool.ts";
import { explainWrongExport, importModule } from "./import-module.ts";
import type { Tool } from "./tool.ts";

/** Imports a tool that a crew names as `./module.ts#export`: a tool of `defineTool`, its definition, or a plain function. */
export async function importTool(name: string, { file, exportName }: ToolModule): Promise<Tool> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await importModule(file);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BatonError("tool-import-failed", `tool '${name}': ${file} cannot be imported: ${why}`, { cause });
  }
  const exported = module[exportName];
  if (typeof exported === "function") {
    return defineTool({ name, description: name, execute: (args, context) => exported(args, context) });
  }
  if (isTool(exported)) return { ...exported, name };
  if (isDefinition(exported)) return defineTool({ description: name, ...exported, name });
  const wanted = "a function, defineTool({ … }) or { description, execute }";
  const problem = explainWrongExport({ file, exportName }, module, wanted);
  throw new BatonError("tool-import-failed", `tool '${name}': ${problem}`);
}

/** Whether the export is a definition for `defineTool`, so that a module need not import Baton. */
function isDefinition(value: unknown): value is Omit<ToolDefinition, "name" | "description"> {
  return typeof value === "object" && value !== null && "execute" in value;
}

function isTool(value: unknown): value is Tool {
  return typeof value === "object" && value !== null && "execute" in value && "read" in value;
}
