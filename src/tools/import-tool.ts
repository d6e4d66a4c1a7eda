import { pathToFileURL } from "node:url";
import type { ToolModule } from "../crew.ts";
import { BatonError } from "../errors.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

/** Imports a tool that a crew names as `./module.ts#export`: what `defineTool` made, or a plain function. */
export async function importTool(name: string, { file, exportName }: ToolModule): Promise<Tool> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BatonError("tool-import-failed", `tool '${name}': ${file} cannot be imported: ${why}`, { cause });
  }
  const exported = module[exportName];
  if (typeof exported === "function") {
    return defineTool({ name, description: name, execute: (args, context) => exported(args, context) });
  }
  if (isTool(exported)) return { ...exported, name };
  const found = Object.keys(module).join(", ") || "nothing";
  throw new BatonError(
    "tool-import-failed",
    `tool '${name}': ${file} exports no tool '${exportName}'; it exports ${found}`,
  );
}

function isTool(value: unknown): value is Tool {
  return typeof value === "object" && value !== null && "execute" in value && "read" in value;
}
