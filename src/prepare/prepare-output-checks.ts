import { joinPlace, listCrews } from "../flow/list-crews.ts";
import type { World } from "../orchestration/crew-run.ts";
import { readAtOnce, type StandardSchema } from "../tools/standard-schema.ts";
import type { Agent, Crew } from "../vocabulary/crew.ts";

/** Schemas of agents' answers that were given in code, by `<crew>/<agent>`. */
export type OutputSchemas = Readonly<Record<string, StandardSchema>>;

/** Finds for each agent what checks its answers beyond the JSON Schema, which cannot say everything that a schema in code can. */
export function prepareOutputChecks(crew: Crew, schemas: OutputSchemas = {}): NonNullable<World["findOutputCheck"]> {
  const checks = new Map<Agent, (value: unknown) => string | undefined>();
  for (const [place, { agents }] of listCrews(crew))
    for (const agent of agents.values()) {
      const name = joinPlace(place, agent.id);
      const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
      if (schema !== undefined) checks.set(agent, (value) => findProblem(value, schema));
    }
  return (agent) => checks.get(agent);
}

/** Waiting for a check would let branches that run at once overtake each other differently in a replay. */
function findProblem(value: unknown, schema: StandardSchema): string | undefined {
  const read = readAtOnce(value, schema);
  return "problem" in read ? read.problem : undefined;
}
