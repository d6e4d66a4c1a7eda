import type { Contract } from "../../vocabulary/crew.ts";
import type { AgentFile } from "../agent-file.ts";
import { buildContract } from "../build-agent.ts";
import { findHandoff } from "../collect-references.ts";
import type { CrewParts } from "../crew-parts.ts";
import { placeOfValue } from "../locate.ts";
import { schemaFault } from "../schema-fault.ts";

/** Contracts: a schema must be one, and what an agent gives must fit what the agent it hands off to takes. */
export function checkFormats(parts: CrewParts): void {
  for (const agent of parts.directory.files.values()) {
    checkContracts(agent, parts);
    checkHandoff(agent, parts);
  }
}

function checkContracts(agent: AgentFile, { crewFile }: CrewParts): void {
  for (const side of ["input", "output"] as const) {
    const { format, schema } = buildContract(agent.keys[side]);
    if (schema === undefined) continue;
    const problem =
      format === "json" ? schemaFault(schema) : `'${side}.format' is ${format}, but only json can have a schema`;
    if (problem === undefined) continue;
    const path = [side, format === "json" ? "schema" : "format"];
    crewFile.reporter.report("wrong-type", placeOfValue(agent, path), problem);
  }
}

function checkHandoff(agent: AgentFile, parts: CrewParts): void {
  const handoff = findHandoff(agent);
  const id = handoff === undefined ? undefined : parts.resolve(agent, "handoff", handoff.name);
  const target = id === undefined ? undefined : parts.directory.files.get(id);
  if (handoff === undefined || target?.keys.input === undefined) return;
  const keys = agent.keys.handoff;
  // With `include` the input is a text with headings, whatever the answer is.
  const isFramed = typeof keys === "object" && keys.include.length > 0;
  const gives: Contract = isFramed ? { format: "markdown", schema: undefined } : buildContract(agent.keys.output);
  const problem = mismatch(gives, buildContract(target.keys.input));
  if (problem === undefined) return;
  const message = `agent '${agent.id}' hands off to '${target.id}', but ${problem}`;
  parts.crewFile.reporter.report("format-mismatch", handoff.place, message);
}

/** Text and Markdown fit each other; JSON fits JSON whose schema asks for nothing that is not given. */
function mismatch(gives: Contract, takes: Contract): string | undefined {
  const [isGiven, isTaken] = [gives.format === "json", takes.format === "json"];
  if (isGiven !== isTaken) return `gives ${gives.format} where ${takes.format} is taken`;
  if (gives.schema === undefined || takes.schema === undefined) return undefined;
  const [given, taken] = [asMap(gives.schema), asMap(takes.schema)];
  const types = typeClash(given, taken, "its output");
  if (types !== undefined) return types;
  const [givenParts, takenParts] = [asMap(given["properties"]), asMap(taken["properties"])];
  const missing = [taken["required"] ?? []]
    .flat()
    .map(String)
    .filter((key) => !(key in givenParts));
  if (missing.length > 0) return `its output lacks what the input requires: ${missing.join(", ")}`;
  const clashes = Object.keys(takenParts).map((key) =>
    typeClash(asMap(givenParts[key]), asMap(takenParts[key]), `its '${key}'`),
  );
  return clashes.find((clash) => clash !== undefined);
}

/** Only where both say which type. */
function typeClash(gives: Map, takes: Map, what: string): string | undefined {
  const [given, taken] = [[gives["type"] ?? []].flat(), [takes["type"] ?? []].flat()];
  const isNumber = given.includes("integer") && taken.includes("number");
  if (given.length === 0 || taken.length === 0 || isNumber || given.some((type) => taken.includes(type)))
    return undefined;
  return `${what} is ${given.join(" or ")} where ${taken.join(" or ")} is taken`;
}

type Map = Readonly<Record<string, unknown>>;

function asMap(value: unknown): Map {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Map) : {};
}
