import type { ResumeAnswer } from "../src/vocabulary/pause.ts";
import type { Chance } from "./chance.ts";

/** What a tool is; what it does is in the arguments of its calls. */
export interface ToolTraits {
  readonly needsApproval?: boolean;
  readonly isSequential?: boolean;
  readonly timeoutMs?: number;
}

export interface ExternalPlan {
  readonly ms: number;
  readonly response?: unknown;
  readonly failures?: readonly string[];
}

/** Somebody stops the run: at an event (-1: before it starts), or at a time. */
export interface Interruption {
  readonly how: "cancel" | "stop";
  readonly atEvent?: number;
  readonly afterMs?: number;
}

/** Where a process dies, in thousandths of the journal, and who stops the run when it goes on. */
export interface Crash {
  readonly at: number;
  readonly interruptions: readonly Interruption[];
}

/** What happens to one event of a journal, at so many thousandths of it. */
export interface Damage {
  readonly at: number;
  readonly how: "missing" | "twice" | "swapped" | "elsewhere" | "unknown";
}

export function randomDamage(chance: Chance): Damage {
  return { at: chance.below(1000), how: chance.pick(["missing", "twice", "swapped", "elsewhere", "unknown"]) };
}

export function randomTraits(chance: Chance): ToolTraits {
  return {
    ...chance.maybe(30, () => ({ needsApproval: true })),
    ...chance.maybe(25, () => ({ isSequential: true })),
    ...chance.maybe(25, () => ({ timeoutMs: chance.pick([5, 10, 50]) })),
  };
}

export function randomExternal(chance: Chance): ExternalPlan {
  return {
    ms: chance.pick([0, 0, 5, 10, 1000]),
    ...chance.maybe(40, () => ({ response: chance.pick<unknown>(["heard [END]", { ok: true }, 0, ""]) })),
    ...chance.maybe(20, () => ({ failures: ["the webhook did not answer"] })),
  };
}

export function randomAnswer(chance: Chance, ids: readonly string[]): ResumeAnswer {
  const target = chance.percent(80) ? chance.anyOf(ids) : "nobody";
  return chance.pick<ResumeAnswer>([
    { input: "go on [END]" },
    { input: "" },
    { decision: "approve" },
    { decision: "approve", input: "well done" },
    { decision: "reject" },
    { decision: "reject", input: "no, again" },
    { decision: `redirect:${target}` },
    { decision: "edit", args: { ms: 5, result: "edited" } },
    { decision: "edit" },
    { decision: "maybe" as never },
    { external: { approved: true } },
    { external: "come in" },
    { input: "go on", decision: "approve", external: "all of it", args: { ms: 1 } },
    { quota: { max_llm_calls: 20, max_tool_calls: 20, max_tokens: 100_000, max_cost_usd: 5 } },
    { quota: { maxLlmCalls: 6 } },
    { quota: {} },
    {},
  ]);
}

export function randomInterruptions(chance: Chance, share: number): Interruption[] {
  return chance.percent(share) ? chance.list(chance.pick([1, 1, 2]), () => randomInterruption(chance)) : [];
}

function randomInterruption(chance: Chance): Interruption {
  const how = chance.percent(60) ? "cancel" : "stop";
  return chance.percent(65)
    ? { how, atEvent: chance.pick([-1, chance.below(10), chance.below(40), chance.below(40)]) }
    : { how, afterMs: chance.pick([0, 1, 5, 10, 50]) };
}

/** What a crew or an agent may spend; prices are known of agents that have their own. */
export function randomQuota(chance: Chance, isPriced: boolean): object {
  return {
    ...chance.maybe(40, () => ({ max_llm_calls: chance.pick([0, 1, 2, 3, 5, 9]) })),
    ...chance.maybe(30, () => ({ max_tool_calls: chance.pick([0, 1, 2, 4]) })),
    ...chance.maybe(20, () => ({ max_tokens: chance.pick([100, 5_000, 10_000, 20_000]) })),
    ...chance.maybe(isPriced ? 40 : 3, () => ({ max_cost_usd: chance.pick([0, 0.01, 0.1, 0.3]) })),
    ...chance.maybe(15, () => ({ max_calls_per_minute: chance.pick([1, 3, 6]) })),
    ...chance.maybe(20, () => ({ alert_threshold: chance.pick([0, 0.5, 1]) })),
    ...chance.maybe(70, () => ({ on_exceed: chance.pick(["stop", "pause", "degrade", "warn"]) })),
    ...chance.maybe(15, () => ({ per: "day" })),
  };
}
