import { dirname, resolve } from "node:path";
import type { FunctionReference, ToolModule } from "../vocabulary/crew.ts";
import type { AgentFile } from "./agent-file.ts";
import type { CrewParts } from "./crew-parts.ts";
import { resolveInside } from "./read-text.ts";
import { splitToolReference } from "./tool-reference.ts";

type Surroundings = Pick<CrewParts, "crewFile" | "givenFunctions" | "root">;

/** The function that answers in place of an agent's model; undefined if the agent has a model. */
export function findFunction(agent: AgentFile, parts: Surroundings): FunctionReference | undefined {
  const { run, a2a, effect = "once" } = agent.keys;
  if (a2a !== undefined) {
    const { card = "", token_env: tokenEnv } = typeof a2a === "string" ? { card: a2a } : a2a;
    // What was begun is found again after a crash, so nothing is done twice.
    return { module: undefined, effect: "idempotent", remote: { card, tokenEnv } };
  }
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
