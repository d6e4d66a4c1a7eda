import { dirname, resolve } from "node:path";
import type { FunctionReference, ToolModule } from "../vocabulary/crew.ts";
import type { AgentFile } from "./agent-file.ts";
import type { CrewParts } from "./crew-parts.ts";
import { resolveInside } from "./read-text.ts";
import { splitToolReference } from "./tool-reference.ts";

type Surroundings = Pick<CrewParts, "crewFile" | "givenFunctions" | "root">;

/** The function that answers in place of an agent's model; undefined if the agent has a model. */
export function findFunction(agent: AgentFile, parts: Surroundings): FunctionReference | undefined {
  const { run, effect = "once" } = agent.keys;
  if (parts.givenFunctions.has(agent.id)) return { module: undefined, effect };
  return run === undefined ? undefined : { module: findModule(agent, run, parts), effect };
}

/** Relative to the agent's file or, if nothing is there, to the crew's folder, as the crew's tools are. */
function findModule({ file: agentFile, id }: AgentFile, run: string, { crewFile, root }: Surroundings): ToolModule {
  const { file, exportName } = splitToolReference(run, id);
  const [beside, ofCrew] = [agentFile, crewFile.file].map((from) => resolve(dirname(from), file));
  const isThere = (path: string) => !("problem" in resolveInside(path, root));
  const found = beside !== undefined && ofCrew !== undefined && !isThere(beside) && isThere(ofCrew) ? ofCrew : beside;
  return { file: found ?? file, exportName };
}
