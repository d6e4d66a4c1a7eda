import type { ToolModule } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { AgentFunction } from "./agent-function.ts";
import { explainWrongExport, importModule } from "./import-module.ts";

/** Imports the function of an agent that names it as `run: ./module.ts#export`. */
export async function importFunction(agent: string, named: ToolModule, version?: number): Promise<AgentFunction> {
  const refuse = (problem: string, cause?: unknown): never => {
    const message = `the function of agent '${agent}': ${problem}`;
    throw new BatonError("function-import-failed", message, cause === undefined ? {} : { cause });
  };
  const module = await importModule(named.file, version).catch((cause: unknown) =>
    refuse(`${named.file} cannot be imported: ${cause instanceof Error ? cause.message : String(cause)}`, cause),
  );
  const exported = module[named.exportName];
  if (typeof exported !== "function") return refuse(explainWrongExport(named, module, "a function"));
  return (input, context) => exported(input, context);
}
