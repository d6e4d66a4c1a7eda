import type { Agent, Crew, Settings } from "../../vocabulary/crew.ts";
import type { Quota } from "../../vocabulary/quota.ts";
import type { ModelFacts } from "./model-facts.ts";
import { priceCall } from "./model-facts.ts";
import { listPartBounds, type PartBound } from "./part-bounds.ts";

/** What a session of an agent can take at most. */
export interface AgentBounds {
  readonly agent: Agent;
  readonly crew: Crew;
  /** With the names of the sub-crews around it. */
  readonly name: string;
  readonly settings: Settings;
  /** The chain of its models; empty if nobody says which. */
  readonly models: readonly ModelFacts[];
  readonly turns: number;
  /** Attempts of one model call. */
  readonly attempts: number;
  /** Whether the agent has tools that do something, and do not end its session. */
  readonly hasTools: boolean;
  readonly asks: readonly string[];
  /** Of one reply. */
  readonly outputTokens: number;
  /** What it reads besides what was said: its prompt, and descriptions of its tools. */
  readonly promptTokens: number;
  /** By how much a turn makes what was said longer. */
  readonly turnTokens: number;
  /** What was said is trimmed to this. */
  readonly window: number;
  /** No request can have more tokens. */
  readonly mostTokens: number;
  /** Why its output, its price or a part of it is not known. */
  readonly unknown: readonly Unknown[];
}

interface Unknown {
  readonly why: string;
  readonly figures: readonly ("modelCalls" | "toolCalls" | "inputTokens" | "outputTokens" | "costUsd")[];
}

/** How calls are limited by quotas around an agent. */
export interface CallLimits {
  /** Whether the engine limits what a model may write, so that it cannot spend more than a quota. */
  readonly isCapped: boolean;
  /** The most tokens of one call. */
  readonly perCall: number;
}

/** What a model is allowed to write where quotas limit it and nothing else does. */
const USUAL_OUTPUT = 4096;
const USUAL_WINDOW = 128_000;
/** What the session itself says in a turn: that it is the last, or that an answer cannot be used. */
const NOTICE_TOKENS = 100;

/** An estimate of the tokens of a text: a third of its bytes, as calls are reserved. */
export function countTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}

export function limitCalls(quotas: readonly Quota[], outer: CallLimits): CallLimits {
  const hard = quotas.filter(({ onExceed }) => onExceed !== "warn");
  const caps = hard.map(({ maxTokensPerCall }) => maxTokensPerCall ?? Number.POSITIVE_INFINITY);
  const isCapped = hard.some((quota) => (quota.maxCostUsd ?? quota.maxTokens ?? quota.maxTokensPerCall) !== undefined);
  return { isCapped: isCapped || outer.isCapped, perCall: Math.min(outer.perCall, ...caps) };
}

export interface BoundsQuestion {
  readonly agent: Agent;
  readonly crew: Crew;
  readonly name: string;
  readonly models: readonly ModelFacts[];
  readonly limits: CallLimits;
  readonly hasMemory: boolean;
}

export function boundAgent({ agent, crew, name, models, limits: outer, hasMemory }: BoundsQuestion): AgentBounds {
  const { settings } = crew;
  const { limits } = agent;
  const isFunction = agent.function !== undefined;
  const own = limitCalls(agent.quotas, outer);
  const parts = listPartBounds(agent, crew);
  const hasTools = !isFunction && (hasMemory || hasOwnTools(agent, crew));
  const [first] = models;
  const written = agent.sampling.maxOutputTokens ?? (own.isCapped ? USUAL_OUTPUT : undefined);
  const most = models.length === 0 ? undefined : largest(models.map(({ outputLimit }) => outputLimit));
  const outputTokens = written ?? most ?? USUAL_OUTPUT;
  const chars = limits.maxToolOutputChars ?? settings.maxToolOutputChars;
  const told = Math.min(
    limits.maxToolCallsPerTurn * chars,
    settings.maxTotalToolOutputChars ?? Number.POSITIVE_INFINITY,
  );
  const windows = models.map(({ contextWindow }) => contextWindow);
  const attempts = 1 + Math.min(limits.maxRetries, (settings.maxConsecutiveErrors ?? Number.POSITIVE_INFINITY) - 1);
  return {
    agent,
    crew,
    name,
    settings,
    models,
    turns: limits.maxTurns + parts.reduce((sum, { turns = 0 }) => sum + turns, 0),
    attempts: Math.max(1, attempts),
    hasTools,
    asks: parts.flatMap(({ asks = [] }) => asks),
    outputTokens: Math.min(outputTokens, own.perCall),
    promptTokens: countTokens(agent.prompt) + parts.reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0),
    // A call of a tool that does not exist is answered, too.
    turnTokens: outputTokens + (hasTools ? told : outputTokens) + NOTICE_TOKENS,
    window: settings.maxContextWindow ?? first?.contextWindow ?? USUAL_WINDOW,
    mostTokens: Math.min(largest(windows) ?? Number.POSITIVE_INFINITY, own.perCall),
    unknown: isFunction
      ? explainRemote(agent)
      : [...listUnknown(agent, models, written ?? most, own), ...parts.flatMap(explainPart)],
  };
}

/** The largest of some figures; undefined if one of them is. */
function largest(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 || known.length < figures.length ? undefined : Math.max(...known);
}

/** What a remote agent does is counted and paid for elsewhere. */
function explainRemote({ function: own }: Agent): Unknown[] {
  if (own?.remote === undefined) return [];
  return [{ why: "it is a remote agent, and only its own server knows what an answer costs", figures: ["costUsd"] }];
}

function explainPart({ unknown, unpriced }: PartBound): Unknown[] {
  const figures = ["modelCalls", "toolCalls", "inputTokens", "outputTokens", "costUsd"] as const;
  return [
    ...(unknown === undefined ? [] : [{ why: unknown, figures }]),
    ...(unpriced === undefined ? [] : [{ why: unpriced, figures: ["costUsd"] as const }]),
  ];
}

function listUnknown(
  agent: Agent,
  models: readonly ModelFacts[],
  output: number | undefined,
  { isCapped }: CallLimits,
): Unknown[] {
  const names = models.map(({ name }) => name);
  const noLimit: Unknown = {
    why:
      models.length === 0
        ? "it has no model, and sets no 'max_output_tokens'"
        : `the output limit of ${names.join(", ")} is not known; set 'max_output_tokens'`,
    figures: ["outputTokens", "costUsd"],
  };
  const unpriced = models.filter((model) => priceCall(agent, model, 1, 1) === undefined).map(({ name }) => name);
  const isPriced = models.length === 0 ? priceCall(agent, undefined, 1, 1) !== undefined : unpriced.length === 0;
  const noPrice: Unknown = {
    why:
      models.length === 0
        ? "it has no model, so its price is not known; name one, or give --model"
        : `the price of ${unpriced.join(", ")} is not known; set 'cost_limits' with its prices`,
    figures: ["costUsd"],
  };
  return [...(output === undefined && !isCapped ? [noLimit] : []), ...(isPriced ? [] : [noPrice])];
}

/** Tools that do something. Those that end a session, such as a router's, are no tool calls of it. */
function hasOwnTools(agent: Agent, crew: Crew): boolean {
  const { tools, subAgents, advisors, delegate, compose, memory } = agent;
  const mayCompose = compose && crew.agents.size > 1;
  return memory !== undefined || tools.length + subAgents.length + advisors.length + delegate.length > 0 || mayCompose;
}

/** What a call of the agent reads at most, when so much was said and told before. */
export function boundInput({ promptTokens, window, mostTokens }: AgentBounds, said: number): number {
  return Math.min(Math.min(said, window) + promptTokens, mostTokens);
}
