import { dirname, relative } from "node:path";
import { locateDefinition } from "../definition/load-definition.ts";
import { writeYaml } from "../definition/write-yaml.ts";
import { buildResult } from "../views/run-result.ts";
import { completePlan, listGivenTools } from "./suggest/complete-plan.ts";
import { Plan } from "./suggest/scenario-plan.ts";
import { shortenReply } from "./suggest/write-reply.ts";

/**
 * A scenario of the shortest run of the crew at `path`. It passes as it is, and a person fills it in. Undefined if the crew cannot be
 * loaded, or if no run of it ends.
 */
export async function draftScenario(path: string, file: string, name: string): Promise<string | undefined> {
  const workingDirectory = dirname(file);
  const first = locateDefinition(path, { workingDirectory }).crew;
  if (first === undefined) return undefined;
  const tools = listGivenTools(first).map(([tool]) => tool);
  const definition = locateDefinition(path, { workingDirectory, tools });
  const run = relative(dirname(file), path) || ".";
  const completed = await completePlan(new Plan(definition.crew ?? first), file, run, definition);
  if (completed === undefined) return undefined;
  const { draft, played } = completed;
  const script = Object.fromEntries(Object.entries(draft.script).map(([agent, all]) => [agent, all.map(shortenReply)]));
  const { status, stopReason, path: way } = buildResult(played.events ?? []);
  const scenario = { name, ...draft, script, expect: { status, stopReason, path: way } };
  const head = "# It passes as it is. Replace each TODO, write what the agents say, and expect what must happen.";
  return `${head}\n${writeYaml(scenario)}`;
}
