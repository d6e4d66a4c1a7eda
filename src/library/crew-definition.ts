import type { agentShape } from "../definition/agent-shape.ts";
import type { crewShape } from "../definition/crew-shape.ts";
import { loadTexts } from "../definition/load-definition.ts";
import type { ValueOf } from "../definition/shape.ts";
import { checkEnvironment } from "../runtime/check-options.ts";
import type { AgentFunction } from "../tools/agent-function.ts";
import type { Tool } from "../tools/tool.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { findJsonProblem } from "../vocabulary/find-json-problem.ts";
import { refuseErrors } from "./refuse-errors.ts";

/** What is written for a value that is read: maps as objects, and every key in either spelling. */
type Written<Value> =
  Value extends ReadonlyMap<string, infer Item>
    ? Readonly<Record<string, Written<Item>>>
    : Value extends readonly (infer Item)[]
      ? readonly Written<Item>[]
      : Value extends object
        ? { readonly [Key in keyof Value & string as Key | CamelCase<Key>]?: Written<Value[Key]> }
        : Value;

type CamelCase<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Key;

/** An agent in code: the keys of an agent's file. */
export type AgentDefinition = Omit<Written<ValueOf<typeof agentShape>>, "run"> & {
  readonly id: string;
  /** Answers in place of a model: a function, or where a module exports one, as `./steps.ts#dedupe`. */
  readonly run?: AgentFunction | string;
  /** The same as `systemPrompt`. */
  readonly prompt?: string;
};

/** A crew in code: the keys of crew.yaml, with its agents and tools as they are. */
export type CrewDefinition = Omit<Written<ValueOf<typeof crewShape>>, "agents" | "tools" | "version"> & {
  readonly name: string;
  readonly agents: readonly AgentDefinition[];
  readonly tools?: readonly Tool[];
};

/** Reads and checks a crew in code; throws a ConfigurationError with every problem if one of them is an error. */
export function readDefinition(definition: CrewDefinition): {
  readonly crew: Crew;
  readonly diagnostics: readonly Diagnostic[];
  readonly tools: readonly Tool[];
  /** The agents' functions, by id. */
  readonly functions: Readonly<Record<string, AgentFunction>>;
} {
  checkDefinition(definition);
  const { agents, tools = [], ...keys } = definition;
  // JSON is YAML: what is wrong in code is shown as it would be in a file.
  const crew = JSON.stringify({ version: "2.0", ...keys, agents: agents.map(({ id }) => id) }, undefined, 2);
  const texts = agents.map(writeAgent);
  const functions = Object.fromEntries(
    agents.flatMap(({ id, run }) => (typeof run === "function" ? [[id, run] as const] : [])),
  );
  checkEnvironment({ tools });
  const options = {
    workingDirectory: process.cwd(),
    tools: tools.map(({ name }) => name),
    givenFunctions: Object.keys(functions),
    approvals: tools.filter(({ needsApproval }) => needsApproval).map(({ name }) => name),
  };
  const loaded = loadTexts(crew, texts, options);
  return { crew: refuseErrors(definition.name, loaded), diagnostics: loaded.diagnostics, tools, functions };
}

/** The text that the agent's file would have. A function is not part of it. */
function writeAgent({ prompt, run, ...agent }: AgentDefinition): string {
  const keys = { ...(prompt !== undefined && { system_prompt: prompt }), ...agent };
  return JSON.stringify(typeof run === "function" ? keys : { ...keys, run }, undefined, 2);
}

/** What JSON would drop or refuse is said before: a function in the place of a prompt must not go unnoticed. */
function checkDefinition(definition: CrewDefinition): void {
  const problem = definitionProblem(definition);
  if (problem !== undefined) throw new BatonError("bad-definition", `the crew's definition cannot be used: ${problem}`);
}

function definitionProblem(definition: CrewDefinition): string | undefined {
  if (!isRecord(definition)) return "it must be an object such as { name, agents: [{ id, prompt }] }";
  const { agents, tools: _, ...keys } = definition;
  if (!Array.isArray(agents)) return "'agents' must be a list of agents: [{ id, prompt }]";
  const at = agents.findIndex((agent) => !isRecord(agent) || typeof agent["id"] !== "string");
  if (at >= 0) return `agents[${at}] must be an object with an 'id'`;
  return findJsonProblem(keys, "crew") ?? findJsonProblem(agents.map(withoutFunction), "agents");
}

function withoutFunction(agent: Readonly<Record<string, unknown>>): unknown {
  return typeof agent["run"] === "function" ? { ...agent, run: undefined } : agent;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
