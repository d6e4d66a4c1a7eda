import { loadTexts } from "../definition/load-definition.ts";
import type { ModelChoice } from "../models/model-choice.ts";
import type { ModelsInPlace } from "../prepare/prepare-models.ts";
import type { OutputSchemas } from "../prepare/prepare-output-checks.ts";
import { checkEnvironment } from "../runtime/check-options.ts";
import type { ToolRegistry } from "../runtime/environment.ts";
import type { AgentFunction } from "../tools/agent-function.ts";
import type { Tool } from "../tools/tool.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { findJsonProblem } from "../vocabulary/find-json-problem.ts";
import type { AgentBase, AgentKeys, NeighbourKeys } from "./agent-keys.ts";
import type { CrewBase, CrewKeys } from "./crew-keys.ts";
import { collectModelObjects, nameModels } from "./name-models.ts";
import { collectSchemas, nameOutput, type OutputDefinition } from "./name-outputs.ts";
import { listTools } from "./read-setup.ts";
import { refuseErrors } from "./refuse-errors.ts";

/** The keys of an agent that code gives in another form than its file. */
export interface AgentInCode {
  /** The id of the agent, unique in its crew. */
  readonly id: string;
  /** Models to try in order, each a name, `provider/model`, or a model object; the crew's when absent. */
  readonly models?: readonly ModelChoice[] | undefined;
  /**
   * What the agent answers: `text`, `markdown`, `json`, or a schema: any Standard Schema, such as one of Zod, or a JSON Schema. An
   * answer that does not fit is repaired once. A run that ends with such an agent has the value as `result.object`.
   */
  readonly output?: OutputDefinition | undefined;
  /** Answers in place of a model: a function, or where a module exports one, as `./steps.ts#dedupe`. */
  readonly run?: AgentFunction | string | undefined;
  /** The same as `systemPrompt`. */
  readonly prompt?: string | undefined;
}

/** The keys of an agent in code that take no names of agents, tools and sub-crews. */
export interface AgentDefinitionBase extends AgentBase, AgentInCode {}

/** An agent in code: the keys of an agent's file. */
export interface AgentDefinition extends AgentKeys, AgentInCode {
  /** Chooses who takes the request, one of these agents. */
  readonly router?: RouterDestinations | { readonly destinations?: RouterDestinations | undefined } | undefined;
}

/** Agents that a router may choose: ids, or ids with a specialty and the like. */
export type RouterDestinations = readonly (string | NeighbourKeys)[];

/** The keys of a crew that code gives in another form than crew.yaml. */
export interface CrewInCode {
  /** The name of the crew. */
  readonly name: string;
  /** Models of agents that list none, each a name, `provider/model`, or a model object. */
  readonly models?: readonly ModelChoice[] | undefined;
  /** Tools that agents may list: a list, or a record by name. */
  readonly tools?: ToolRegistry | undefined;
}

/** The keys of a crew in code that take no names of agents, groups, tools and sub-crews. */
export interface CrewDefinitionBase extends CrewBase, CrewInCode {}

/** A crew in code: the keys of crew.yaml, with its agents and tools as they are. */
export interface CrewDefinition extends CrewKeys, CrewInCode {
  /** The agents, in order: an answer without a signal continues with the next. */
  readonly agents: readonly AgentDefinition[];
}

/** A crew in code as it is run, and what its definition brings along. */
interface ReadDefinition {
  readonly crew: Crew;
  readonly diagnostics: readonly Diagnostic[];
  readonly tools: readonly Tool[];
  /** The agents' functions, by id. */
  readonly functions: Readonly<Record<string, AgentFunction>>;
  /** The model objects that agents list, by id. */
  readonly models: ModelsInPlace;
  /** The schemas of agents' answers, by id. */
  readonly schemas: OutputSchemas;
}

/** Reads and checks a crew in code; throws a ConfigurationError with every problem if one of them is an error. */
export function readDefinition(definition: CrewDefinition, root: string | undefined): ReadDefinition {
  const problem = findFormProblem(definition);
  if (problem !== undefined) refuse(problem);
  const { agents, tools: given = [], ...keys } = definition;
  checkEnvironment({ tools: given });
  const tools = listTools(given);
  const names = { ...keys, ...nameModels(definition, "crew") };
  const plain = agents.map((agent, index) => ({
    ...agent,
    ...nameModels(agent, `agents[${index}]`),
    ...nameOutput(agent),
  }));
  refuseLoss(names, plain);
  // JSON is YAML: what is wrong in code is shown as it would be in a file.
  const crew = JSON.stringify({ version: "2.0", ...names, agents: agents.map(({ id }) => id) }, undefined, 2);
  const texts = plain.map((agent) => ({ id: agent.id, text: writeAgent(agent) }));
  const functions = Object.fromEntries(
    agents.flatMap(({ id, run }) => (typeof run === "function" ? [[id, run] as const] : [])),
  );
  const options = {
    workingDirectory: process.cwd(),
    ...(root !== undefined && { root }),
    tools: tools.map(({ name }) => name),
    givenFunctions: Object.keys(functions),
    approvals: tools.filter(({ needsApproval }) => needsApproval).map(({ name }) => name),
  };
  const loaded = loadTexts(crew, texts, options);
  return {
    crew: refuseErrors(`the crew '${definition.name}'`, loaded),
    diagnostics: loaded.diagnostics,
    tools,
    functions,
    models: collectModelObjects(definition, agents),
    schemas: collectSchemas(agents),
  };
}

/** The text that the agent's file would have. A function is not part of it. */
function writeAgent({ prompt, run, ...agent }: AgentDefinition): string {
  const keys = { ...(prompt !== undefined && { system_prompt: prompt }), ...agent };
  return JSON.stringify(typeof run === "function" ? keys : { ...keys, run }, undefined, 2);
}

function refuse(problem: string): never {
  throw new BatonError("bad-definition", `the crew's definition cannot be used: ${problem}`);
}

function findFormProblem(definition: CrewDefinition): string | undefined {
  if (!isRecord(definition)) return "it must be an object such as { name, agents: [{ id, prompt }] }";
  const { agents } = definition;
  if (!Array.isArray(agents)) return "'agents' must be a list of agents: [{ id, prompt }]";
  const at = agents.findIndex((agent) => !isRecord(agent) || typeof agent["id"] !== "string");
  if (at >= 0) return `agents[${at}] must be an object with an 'id'`;
  const doubled = agents.findIndex((agent) => agent.prompt !== undefined && agent.system_prompt !== undefined);
  return doubled < 0 ? undefined : `agents[${doubled}] has both 'prompt' and 'system_prompt': write one of them`;
}

/** What JSON would drop or refuse is said before: a function in the place of a prompt must not go unnoticed. */
function refuseLoss(crew: object, agents: readonly AgentDefinition[]): void {
  const plain = agents.map((agent) => (typeof agent.run === "function" ? { ...agent, run: undefined } : agent));
  const problem = findJsonProblem(crew, "crew") ?? findJsonProblem(plain, "agents");
  if (problem !== undefined) refuse(problem);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
