import type { ToolModule } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { AgentFunction } from "./agent-function.ts";
import { importModule, listExports } from "./import-module.ts";

/** Imports the function of an agent that names it as `run: ./module.ts#export`. */
export async function importFunction(agent: string, { file, exportName }: ToolModule): Promise<AgentFunction> {
  const refuse = (problem: string, cause?: unknown): never => {
    const message = `the function of agent '${agent}': ${file} ${problem}`;
    throw new BatonError("function-import-failed", message, cause === undefined ? {} : { cause });
  };
  const module = await importModule(file).catch((cause: unknown) =>
    refuse(`cannot be imported: ${cause instanceof Error ? cause.message : String(cause)}`, cause),
  );
  const exported = module[exportName];
  if (typeof exported !== "function")
    return refuse(`exports no function '${exportName}'; it exports ${listExports(module)}`);
  return (input, context) => exported(input, context);
}
