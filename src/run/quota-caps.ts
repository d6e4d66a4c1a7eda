import { addUsd } from "../vocabulary/bill.ts";
import type { Quota } from "../vocabulary/quota.ts";

/** What calls took, or may take at most. */
export interface Spending {
  readonly usd: number;
  readonly tokens: number;
  readonly llmCalls: number;
  readonly toolCalls: number;
}

/** What one call may take at most; its price may be unknown. */
export interface Demand extends Omit<Spending, "usd"> {
  readonly usd: number | undefined;
}

/** What was taken at one level of a run, and what calls under way may still take. */
export interface Counter {
  spent: Spending;
  reserved: Pick<Spending, "usd" | "tokens">;
  /** Calls under way. */
  open: number;
  /** What others took of the same quota: other runs of the day. */
  others: Spending;
  /** When the model calls of the last hour were made. */
  readonly calledAt: number[];
}

export const nothingSpent: Spending = { usd: 0, tokens: 0, llmCalls: 0, toolCalls: 0 };

type CapField = Exclude<keyof Quota, "per" | "alertThreshold" | "onExceed">;

/** One cap that a quota may set. */
export interface Cap {
  readonly field: CapField;
  /** Its key in files, events and answers. */
  readonly name: string;
  used(counter: Counter, ts: number): number;
  reserved(counter: Counter): number;
  wanted(demand: Demand): number | undefined;
  /** Whether it counts model calls, and not what they take. */
  readonly isOfCalls?: true;
}

const A_MINUTE = 60_000;
const AN_HOUR = 60 * A_MINUTE;

const none = () => 0;
const oneCall = ({ llmCalls }: Demand) => llmCalls;

export const caps: readonly Cap[] = [
  {
    field: "maxCostUsd",
    name: "max_cost_usd",
    used: ({ spent, others }) => addUsd(spent.usd, others.usd),
    reserved: ({ reserved }) => reserved.usd,
    wanted: ({ usd }) => usd,
  },
  {
    field: "maxTokens",
    name: "max_tokens",
    used: ({ spent, others }) => spent.tokens + others.tokens,
    reserved: ({ reserved }) => reserved.tokens,
    wanted: ({ tokens }) => tokens,
  },
  {
    field: "maxTokensPerCall",
    name: "max_tokens_per_call",
    used: none,
    reserved: none,
    wanted: ({ tokens }) => tokens,
  },
  {
    field: "maxLlmCalls",
    name: "max_llm_calls",
    used: ({ spent, others }) => spent.llmCalls + others.llmCalls,
    reserved: none,
    wanted: oneCall,
    isOfCalls: true,
  },
  {
    field: "maxToolCalls",
    name: "max_tool_calls",
    used: ({ spent, others }) => spent.toolCalls + others.toolCalls,
    reserved: none,
    wanted: ({ toolCalls }) => toolCalls,
  },
  callsWithin("maxCallsPerMinute", "max_calls_per_minute", A_MINUTE),
  callsWithin("maxCallsPerHour", "max_calls_per_hour", AN_HOUR),
];

function callsWithin(field: CapField, name: string, ms: number): Cap {
  const used = ({ calledAt }: Counter, ts: number) => calledAt.filter((at) => at > ts - ms).length;
  return { field, name, used, reserved: none, wanted: oneCall, isOfCalls: true };
}

/** Notes when a model call was made, and forgets calls that no cap counts any more. */
export function noteCall({ calledAt }: Counter, ts: number): void {
  calledAt.push(ts);
  while ((calledAt[0] ?? ts) <= ts - AN_HOUR) calledAt.shift();
}

/** The caps in a human's answer such as `{ max_cost_usd: 2 }`, or what is wrong with it. */
export function readRaise(answer: unknown): Partial<Record<CapField, number>> | { readonly problem: string } {
  const known = caps.map(({ name }) => name).join(", ");
  if (typeof answer !== "object" || answer === null || Object.keys(answer).length === 0)
    return { problem: `'quota' must raise a cap, such as { max_cost_usd: 2 }; there are ${known}` };
  const raised: Partial<Record<CapField, number>> = {};
  for (const [key, value] of Object.entries(answer)) {
    const cap = caps.find(({ name, field }) => key === name || key === field);
    if (cap === undefined) return { problem: `there is no cap '${key}'; there are ${known}` };
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0)
      return { problem: `'${key}' must be a number that is not negative` };
    raised[cap.field] = value;
  }
  return raised;
}
