import { agentShape } from "../definition/agent-shape.ts";
import { crewShape } from "../definition/crew-shape.ts";
import { projectShape } from "../definition/project-shape.ts";
import type { JsonSchema } from "../definition/shape.ts";
import { scenarioShape } from "./scenario-shape.ts";

/** The JSON Schemas of the files that people write, by kind. */
export const jsonSchemas: ReadonlyMap<string, JsonSchema> = new Map([
  ["crew", described("A Baton crew: crew.yaml", crewShape.schema)],
  ["agent", described("A Baton agent: a YAML agent file, or a Markdown agent's frontmatter", agentShape.schema)],
  ["scenario", described("A Baton scenario: *.scenario.yaml", scenarioShape.schema)],
  ["project", described("A Baton project: baton.yaml", projectShape.schema)],
]);

function described(title: string, schema: JsonSchema): JsonSchema {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title, ...schema };
}
