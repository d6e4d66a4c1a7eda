import { findJsonBlock } from "../orchestration/find-json-block.ts";
import type { OutputSchemas } from "../prepare/prepare-output-checks.ts";
import { readAtOnce } from "../tools/standard-schema.ts";
import type { RunResult } from "../views/run-result.ts";
import type { Crew } from "../vocabulary/crew.ts";

/** The value that a run's last agent answered, if its answers are JSON. A schema in code may change it, such as text to dates. */
export function readObject(
  { output, finalAgent }: Pick<RunResult, "output" | "finalAgent">,
  crew: Crew,
  schemas: OutputSchemas = {},
): unknown {
  if (crew.agents.get(finalAgent)?.output.format !== "json") return undefined;
  const json = parse(output);
  if (json === undefined || !Object.hasOwn(schemas, finalAgent)) return json;
  const schema = schemas[finalAgent];
  const read = schema === undefined ? { value: json } : readAtOnce(json, schema);
  return "value" in read ? read.value : undefined;
}

/** Signals may stand beside the JSON. */
function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    const block = findJsonBlock(output);
    return "value" in block ? block.value : undefined;
  }
}
