import type { Prices, Quota } from "../vocabulary/quota.ts";
import type { costLimitsShape, quotasShape } from "./quota-shape.ts";
import type { settingsShape } from "./settings-shape.ts";
import type { ValueOf } from "./shape.ts";

const unlimited: Quota = {
  per: "run",
  maxCostUsd: undefined,
  maxTokens: undefined,
  maxTokensPerCall: undefined,
  maxLlmCalls: undefined,
  maxToolCalls: undefined,
  maxCallsPerMinute: undefined,
  maxCallsPerHour: undefined,
  alertThreshold: 0.8,
  onExceed: "stop",
};

/** `threshold` is what the crew gives for quotas that have none of their own. */
export function buildQuotas(keys: ValueOf<typeof quotasShape> | undefined, threshold?: number): Quota[] {
  if (keys === undefined) return [];
  return [keys].flat().map((each) => ({
    ...unlimited,
    per: each.per,
    maxCostUsd: each.max_cost_usd,
    maxTokens: each.max_tokens,
    maxLlmCalls: each.max_llm_calls,
    maxToolCalls: each.max_tool_calls,
    maxCallsPerMinute: each.max_calls_per_minute,
    alertThreshold: each.alert_threshold ?? threshold ?? unlimited.alertThreshold,
    onExceed: each.on_exceed,
  }));
}

/** An agent's `cost_limits`: a day's quota, and a cap on each call. */
export function quotasOfCostLimits(keys: ValueOf<typeof costLimitsShape> | undefined): Quota[] {
  if (keys === undefined) return [];
  const { alert_threshold: alertThreshold, block_on_cost_exceed: blocks } = keys;
  const base: Quota = { ...unlimited, alertThreshold, onExceed: blocks ? "stop" : "warn" };
  return [
    { ...base, per: "day", maxTokens: keys.max_tokens_per_day, maxCostUsd: keys.max_cost_per_day_usd } as const,
    { ...base, maxTokensPerCall: keys.max_tokens_per_call },
  ].filter(capsAnything);
}

export function buildPrices(keys: ValueOf<typeof costLimitsShape> | undefined): Prices | undefined {
  const inputPerMillionUsd = keys?.input_token_price_per_million;
  const outputPerMillionUsd = keys?.output_token_price_per_million;
  if (inputPerMillionUsd === undefined && outputPerMillionUsd === undefined) return undefined;
  return { inputPerMillionUsd, outputPerMillionUsd };
}

/** The quotas that go-agentic's own settings stand for. */
export function quotasOfSettings(keys: ValueOf<typeof settingsShape>): Quota[] {
  const base: Quota = {
    ...unlimited,
    alertThreshold: keys.cost_alert_threshold ?? unlimited.alertThreshold,
    onExceed: keys.block_on_quota_exceed === false ? "warn" : "stop",
  };
  const day: Quota = {
    ...base,
    per: "day",
    maxTokens: keys.max_tokens_per_day,
    maxCostUsd: keys.max_cost_per_day,
    maxLlmCalls: keys.max_calls_per_day,
  };
  const run: Quota = {
    ...base,
    maxTokensPerCall: keys.max_tokens_per_call,
    maxCallsPerMinute: keys.max_calls_per_minute,
    maxCallsPerHour: keys.max_calls_per_hour,
  };
  return [day, run].filter(capsAnything);
}

function capsAnything(quota: Quota): boolean {
  const { per, alertThreshold, onExceed, ...caps } = quota;
  return Object.values(caps).some((cap) => cap !== undefined);
}
