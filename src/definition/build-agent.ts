import type {
  Agent,
  Condition,
  Contract,
  FunctionReference,
  Handoff,
  ModelName,
  Neighbour,
  Team,
} from "../vocabulary/crew.ts";
import type { Guard, Guards } from "../vocabulary/guard.ts";
import type { AgentMemory } from "../vocabulary/memory-keys.ts";
import type { AgentFile } from "./agent-file.ts";
import { buildGuards } from "./build-guards.ts";
import { buildPrices, buildQuotas, quotasOfCostLimits } from "./build-quotas.ts";
import { inMs, type SettingsKeys } from "./build-settings.ts";
import type { Reference } from "./collect-references.ts";
import { listDestinations, neighbourName } from "./collect-references.ts";
import { buildMemory } from "./memory-shape.ts";
import { parseModel, placeModel } from "./parse-model.ts";

/** What an agent takes from its crew. */
export interface AgentSurroundings {
  /** The crew's file. */
  readonly file: string;
  readonly settings: SettingsKeys;
  readonly models: readonly ModelName[];
  /** The id a reference means; undefined where it names nobody, which is reported elsewhere. */
  resolve(kind: Reference["kind"], name: string): string | undefined;
  readonly isTerminal: boolean | undefined;
  /** What agents of the crew remember that do not say so themselves. */
  readonly memory: AgentMemory | undefined;
  /** The tools that the agent has. */
  listTools(file: AgentFile): readonly string[];
  /** The function that answers in place of a model, if the agent has one. */
  findFunction(file: AgentFile): FunctionReference | undefined;
}

/** The agent that a file declares, its references resolved. */
export function buildAgent(file: AgentFile, crew: AgentSurroundings): Agent {
  const { keys } = file;
  const all = (kind: Reference["kind"], names: readonly string[]) =>
    names.flatMap((name) => crew.resolve(kind, name) ?? []);
  const own = crew.findFunction(file);
  const guards = buildGuards(keys.guards, file.file);
  const memory = buildMemory(keys.memory) ?? crew.memory;
  const isModel = own === undefined;
  const llmTimeoutMs = (isModel ? keys.llm_timeout : undefined) ?? inMs(crew.settings.llm_timeout_seconds);
  return {
    id: file.id,
    name: keys.name,
    role: keys.role,
    backstory: keys.backstory,
    description: keys.description,
    usage: keys.usage,
    prompt: isModel ? file.prompt : "",
    models: isModel ? chooseModels(file, crew) : [],
    sampling: {
      temperature: keys.temperature,
      topP: keys.top_p,
      topK: keys.top_k,
      maxOutputTokens: keys.max_output_tokens,
      reasoning: keys.reasoning,
    },
    tools: isModel ? crew.listTools(file) : [],
    subAgents: all("agents", keys.agents),
    handoff: buildHandoff(keys.handoff, crew),
    router: keys.router && { destinations: buildNeighbours(listDestinations(keys), "router", crew) },
    advisors: all("advisors", keys.advisors),
    team: buildTeam(keys.team, crew),
    chat: keys.chat,
    collaborations: buildNeighbours([...keys.collaborations, ...bodyNeighbours(file)], "collaborations", crew).filter(
      ({ agent }) => agent !== file.id,
    ),
    handoffTargets: all("handoff_targets", keys.handoff_targets),
    isTerminal: crew.isTerminal ?? keys.is_terminal ?? false,
    domain: keys.domain ?? keys.specialties[0],
    specialties: keys.specialties,
    limits: {
      maxTurns: keys.max_turns,
      maxToolCallsPerTurn: keys.max_tool_calls_per_turn,
      maxToolOutputChars: keys.max_tool_output_chars,
      maxRetries: keys.max_retries,
      llmTimeoutMs,
      toolTimeoutMs:
        keys.tool_timeout ?? inMs(crew.settings.tool_execution_timeout_seconds ?? crew.settings.tool_timeout_seconds),
      advisorTimeoutMs: keys.advisor_timeout ?? llmTimeoutMs,
    },
    input: buildContract(keys.input),
    output: buildContract(keys.output),
    parallelHandoffs: keys.parallel_handoffs ?? crew.settings.parallel_handoffs,
    delegate: keys.delegate,
    compose: keys.compose,
    quotas: [...buildQuotas(keys.quotas, crew.settings.cost_alert_threshold), ...quotasOfCostLimits(keys.cost_limits)],
    prices: buildPrices(keys.cost_limits),
    promptStyle: keys.prompt_style,
    function: own,
    ...(memory !== undefined && isModel && { memory }),
    ...(keys.attachments !== undefined && { attachments: keys.attachments }),
    ...(guards !== undefined && { guards: resolveJudges(guards, crew) }),
  };
}

/** Agents that judge are named as others are: by id or path. */
function resolveJudges(guards: Guards, crew: AgentSurroundings): Guards {
  const resolve = (guard: Guard): readonly Guard[] => {
    if (guard.check.type !== "agent") return [guard];
    const agent = crew.resolve("guards", guard.check.agent);
    return agent === undefined ? [] : [{ ...guard, name: agent, check: { type: "agent", agent } }];
  };
  return { ...guards, input: guards.input.flatMap(resolve), output: guards.output.flatMap(resolve) };
}

type Keys = AgentFile["keys"];
type NeighbourKeys = Keys["collaborations"][number];

/** The agent's own models, else the crew's. */
function chooseModels(file: AgentFile, crew: AgentSurroundings): ModelName[] {
  const own = ownModels(file);
  return (own.length > 0 ? own : crew.models).map((model) => placeModel(model, crew.file));
}

/** `models`, then go-agentic's forms; malformed names are reported by the check of models. */
function ownModels(file: AgentFile): ModelName[] {
  const { models, primary, backup, model, provider, provider_url } = file.keys;
  const forms = [primary, backup, { model, provider, provider_url }];
  const names = provider === undefined && model !== undefined ? [...(models ?? []), model] : (models ?? []);
  return [
    ...names.flatMap((name) => parseModel(name) ?? []),
    ...forms.flatMap((form) =>
      form?.model === undefined || form.provider === undefined
        ? []
        : [{ provider: form.provider, model: form.model, ...(form.provider_url && { url: form.provider_url }) }],
    ),
  ];
}

function buildHandoff(keys: Keys["handoff"], crew: AgentSurroundings): Handoff | undefined {
  const long =
    typeof keys === "string" ? { to: keys, include: [], on_failure: "stop" as const, when: undefined } : keys;
  const to = long?.to === undefined ? undefined : crew.resolve("handoff", long.to);
  if (long === undefined || to === undefined) return undefined;
  return { to, include: long.include, onFailure: long.on_failure, when: buildCondition(long.when) };
}

function buildNeighbours(
  keys: readonly NeighbourKeys[],
  kind: "router" | "collaborations",
  crew: AgentSurroundings,
): Neighbour[] {
  const neighbours = new Map<string, Neighbour>();
  for (const each of keys) {
    const agent = crew.resolve(kind, neighbourName(each));
    const known = agent === undefined ? undefined : neighbours.get(agent);
    const long = typeof each === "string" ? undefined : each;
    if (agent === undefined) continue;
    neighbours.set(agent, {
      agent,
      specialty: known?.specialty ?? long?.specialty,
      when: known?.when ?? buildCondition(long?.when),
      priority: known?.priority ?? long?.priority,
      cost: known?.cost ?? long?.cost,
    });
  }
  return [...neighbours.values()];
}

function bodyNeighbours(file: AgentFile): NeighbourKeys[] {
  return file.bodyCollaborations.map(({ name, specialty }) => ({
    agent: name,
    specialty,
    when: undefined,
    priority: undefined,
    cost: undefined,
  }));
}

function buildTeam(keys: Keys["team"], crew: AgentSurroundings): Team | undefined {
  const supervisor = keys?.supervisor === undefined ? undefined : crew.resolve("supervisor", keys.supervisor);
  if (keys === undefined || supervisor === undefined) return undefined;
  return {
    kind: keys.kind,
    members: keys.members.flatMap((name) => crew.resolve("members", name) ?? []),
    supervisor,
    memberMaxTurns: keys.member_max_turns,
    supervisorMaxTurns: keys.supervisor_max_turns,
  };
}

function buildCondition(keys: Exclude<NeighbourKeys, string>["when"]): Condition | undefined {
  if (keys === undefined) return undefined;
  const { contains, matches, signal, status, cost_over: costOver, turns_over: turnsOver } = keys;
  const given = Object.entries({ contains, matches, signal, status, costOver, turnsOver });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

export function buildContract(keys: Keys["input"]): Contract {
  const { format, schema } = typeof keys === "object" ? keys : { format: keys, schema: undefined };
  return { format: format ?? (schema === undefined ? "text" : "json"), schema };
}
