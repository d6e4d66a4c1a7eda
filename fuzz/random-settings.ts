import type { Chance } from "./chance.ts";
import { randomQuota } from "./random-surroundings.ts";

/** The settings of a crew with these agents that have a model: a function cannot sum up. */
export function randomSettings(
  chance: Chance,
  { isStrict, models }: { readonly isStrict: boolean; readonly models: readonly string[] },
): Readonly<Record<string, unknown>> {
  const limits = isStrict ? 100 : 70;
  return {
    ...(isStrict && { config_mode: "strict" }),
    ...chance.maybe(limits, () => ({ max_handoffs: chance.pick([0, 1, 3, 5, 10, 20]) })),
    ...chance.maybe(10, () => ({ max_run_handoffs: chance.pick([0, 2, 5, 50]) })),
    ...chance.maybe(isStrict ? 100 : 90, () => ({ max_rounds: chance.pick([1, 3, 5, 8, 12, 20]) })),
    ...chance.maybe(limits, () => ({ timeout_seconds: chance.pick([0.01, 0.05, 0.2, 2, 2, 100, 100, 300]) })),
    ...chance.maybe(60, () => ({ on_no_signal: chance.pick(["next", "stop", "pause", "repair"]) })),
    ...chance.maybe(40, () => ({ emit: chance.pick(["text", "tool", "both"]) })),
    ...chance.maybe(30, () => ({ strip_signals: true })),
    ...chance.maybe(30, () => ({ signal_scope: chance.pick(["anywhere", "own_line", "last_line", "outside_code"]) })),
    ...chance.maybe(20, () => ({ max_context_window: chance.pick([1, 20, 100]) })),
    ...chance.maybe(20, () => ({ max_tool_output_chars: chance.pick([1, 20]) })),
    ...chance.maybe(10, () => ({ max_total_tool_output_chars: chance.pick([1, 30]) })),
    ...chance.maybe(15, () => ({ max_consecutive_errors: chance.pick([1, 2, 3]) })),
    ...chance.maybe(60, () => ({ retry_backoff_min_millis: chance.pick([0, 5, 10]) })),
    ...chance.maybe(25, () => ({ quotas: chance.list(chance.pick([1, 1, 2]), () => randomQuota(chance, false)) })),
    ...chance.maybe(5, () => ({ max_tokens_per_call: chance.pick([1, 100, 5000]) })),
    ...chance.maybe(30, () => ({ retry_backoff_max_seconds: chance.pick([0.01, 1]) })),
    ...chance.maybe(5, () => ({ handoffs_enabled: false })),
    ...chance.maybe(20, () => ({ handoff_context_chars: chance.pick([0, 1, 10]) })),
    ...chance.maybe(15, () => ({ parallel_handoffs: true })),
    ...chance.maybe(isStrict ? 100 : 30, () => ({ parallel_timeout_seconds: chance.pick([0.005, 0.02, 2]) })),
    ...chance.maybe(30, () => ({ history: chance.pick(["full", "summary", "summary", "none"]) })),
    ...chance.maybe(15, () => ({ summarizer: chance.anyOf(models) })),
  };
}
