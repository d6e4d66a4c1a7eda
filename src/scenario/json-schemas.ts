import { agentShape } from "../definition/agent-shape.ts";
import { crewShape } from "../definition/crew-shape.ts";
import { projectShape } from "../definition/project-shape.ts";
import type { JsonSchema } from "../definition/shape.ts";
import { scenarioShape } from "./scenario-shape.ts";

/** The JSON Schemas of the files that people write, by kind. */
export const jsonSchemas: Readonly<Record<"crew" | "agent" | "scenario" | "project", JsonSchema>> = {
  crew: addTitle("A Baton crew: crew.yaml", crewShape.schema),
  agent: addTitle("A Baton agent: a YAML agent file, or a Markdown agent's frontmatter", agentShape.schema),
  scenario: addTitle("A Baton scenario: *.scenario.yaml", scenarioShape.schema),
  project: addTitle("A Baton project: baton.yaml", projectShape.schema),
};

function addTitle(title: string, schema: JsonSchema): JsonSchema {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title, ...schema };
}
