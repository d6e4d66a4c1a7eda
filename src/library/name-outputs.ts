import type { OutputSchemas } from "../prepare/prepare-output-checks.ts";
import { isStandardSchema, type JsonSchema, type StandardSchema, toJsonSchema } from "../tools/standard-schema.ts";

/** What an agent's answers are, in code: as in a file, or a schema of JSON. */
export type OutputDefinition =
  | "text"
  | "markdown"
  | "json"
  | { readonly format?: "text" | "markdown" | "json"; readonly schema?: JsonSchema }
  | StandardSchema
  | JsonSchema;

interface Answering {
  readonly id: string;
  readonly output?: OutputDefinition | undefined;
}

/** The output of an agent as its file would say it. A schema in code is shown to models as JSON Schema, if its library can write one. */
export function nameOutput({ output }: Answering): Pick<Answering, "output"> {
  if (output === undefined) return {};
  if (isStandardSchema(output)) {
    const schema = toJsonSchema(output);
    return { output: { format: "json", ...(schema !== undefined && { schema }) } };
  }
  // What is neither text nor an object is left for the crew's checks.
  const isSchema = typeof output === "object" && output !== null && !isContract(output);
  return { output: isSchema ? { format: "json", schema: output } : output };
}

/** The schemas of agents' answers that can check more than JSON Schema says, by agent. */
export function collectSchemas(agents: readonly Answering[]): OutputSchemas {
  return Object.fromEntries(
    agents.flatMap(({ id, output }) => (isStandardSchema(output) ? [[id, output] as const] : [])),
  );
}

/** Whether the keys are those that a file has under `output`. */
function isContract(output: object): boolean {
  const keys = Object.keys(output);
  return keys.every((key) => key === "format" || key === "schema");
}
