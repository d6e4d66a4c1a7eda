import { computeBackoffMs } from "../../vocabulary/compute-backoff.ts";
import type { AgentBounds } from "./agent-bounds.ts";
import { priceCall } from "./model-facts.ts";

/** What a plan says the worst of. */
export type Figure =
  | "handoffs"
  | "rounds"
  | "modelCalls"
  | "toolCalls"
  | "inputTokens"
  | "outputTokens"
  | "costUsd"
  | "seconds";

/** One figure: what each thing that happens in a run adds to it. */
export interface Measure {
  readonly figure: Figure | "compositions" | "allHandoffs";
  readonly handoff: number;
  readonly round: number;
  /** Of a tool call, without what is called by it. */
  readonly toolCall: number;
  readonly composition: number;
  /** Whether what happens at once counts once. */
  readonly isTime: boolean;
  /** Whether it matters how much an agent reads. */
  readonly readsContext: boolean;
  /** Of so many attempts of one model call. */
  attempts(agent: AgentBounds, count: number, inputTokens: number): number;
  /** Of a tool that the agent's crew has, or a function in place of a model. */
  tool(agent: AgentBounds): number;
}

const none = () => 0;
const base = {
  handoff: 0,
  round: 0,
  toolCall: 0,
  composition: 0,
  isTime: false,
  readsContext: false,
  attempts: none,
  tool: none,
};

export const measures: Readonly<Record<Measure["figure"], Measure>> = {
  handoffs: { ...base, figure: "handoffs", handoff: 1 },
  allHandoffs: { ...base, figure: "allHandoffs", handoff: 1 },
  rounds: { ...base, figure: "rounds", round: 1 },
  modelCalls: { ...base, figure: "modelCalls", attempts: (_, count) => count },
  toolCalls: { ...base, figure: "toolCalls", toolCall: 1 },
  compositions: { ...base, figure: "compositions", composition: 1 },
  inputTokens: {
    ...base,
    figure: "inputTokens",
    readsContext: true,
    attempts: (_, count, inputTokens) => count * inputTokens,
  },
  outputTokens: { ...base, figure: "outputTokens", attempts: ({ outputTokens }, count) => count * outputTokens },
  costUsd: { ...base, figure: "costUsd", readsContext: true, attempts: priceAttempts },
  seconds: {
    ...base,
    figure: "seconds",
    isTime: true,
    attempts: ({ agent, settings }, count) => (count * agent.limits.llmTimeoutMs + sumWaits(count, settings)) / 1000,
    tool: ({ agent }) => agent.limits.toolTimeoutMs / 1000,
  },
};

function sumWaits(count: number, settings: AgentBounds["settings"]): number {
  let sum = 0;
  for (let attempt = 1; attempt < count; attempt++) sum += computeBackoffMs(attempt, settings);
  return sum;
}

/** What attempts cost at most: each model of the chain but the last is tried twice at most, and the last as often as is left. */
function priceAttempts({ agent, models, outputTokens }: AgentBounds, count: number, inputTokens: number): number {
  const prices = models.map((model) => priceCall(agent, model, inputTokens, outputTokens) ?? 0);
  if (prices.length <= 1) return count * (prices[0] ?? priceCall(agent, undefined, inputTokens, outputTokens) ?? 0);
  let most = 0;
  for (let last = 0; last < Math.min(prices.length, count); last++) {
    const tried = prices.slice(0, last + 1);
    const isEnd = last === prices.length - 1;
    let left = count - tried.length;
    let usd = tried.reduce((sum, price) => sum + price, 0);
    const again = tried.map((price, index) => ({ price, most: isEnd && index === last ? left : 1 }));
    for (const each of again.sort((a, b) => b.price - a.price)) {
      const times = Math.min(left, each.most);
      usd += times * each.price;
      left -= times;
    }
    most = Math.max(most, usd);
  }
  return most;
}
