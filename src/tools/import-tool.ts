import { pathToFileURL } from "node:url";
import type { ToolModule } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { defineTool, type ToolDefinition } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

const LOAD_TIMEOUT_MS = 30_000;

/** Imports a tool that a crew names as `./module.ts#export`: a tool of `defineTool`, its definition, or a plain function. */
export async function importTool(name: string, { file, exportName }: ToolModule): Promise<Tool> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await limitTime(import(pathToFileURL(file).href));
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
  const found = Object.keys(module).join(", ") || "nothing";
  throw new BatonError(
    "tool-import-failed",
    `tool '${name}': ${file} exports no tool '${exportName}'; it exports ${found}`,
  );
}

/** A module whose top level waits for ever would otherwise end the process without a message. */
function limitTime<Value>(loading: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = new Error(`it did not load within ${LOAD_TIMEOUT_MS / 1000} s`);
    const timer = setTimeout(() => reject(late), LOAD_TIMEOUT_MS);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Whether the export is a definition for `defineTool`, so that a module need not import Baton. */
function isDefinition(value: unknown): value is Omit<ToolDefinition<unknown>, "name" | "description"> {
  return typeof value === "object" && value !== null && "execute" in value;
}

function isTool(value: unknown): value is Tool {
  return typeof value === "object" && value !== null && "execute" in value && "read" in value;
}
