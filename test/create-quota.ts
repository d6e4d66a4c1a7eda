import type { Quota } from "../src/vocabulary/quota.ts";

const noCaps: Quota = {
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

/** A quota with these caps and no others. */
export function createQuota(caps: Partial<Quota>): Quota {
  return { ...noCaps, ...caps };
}
