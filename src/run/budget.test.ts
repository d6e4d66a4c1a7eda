import { describe, expect, it } from "vitest";
import type { Quota } from "../vocabulary/quota.ts";
import { createLevel, reserve, within } from "./budget.ts";
import type { Demand } from "./quota-caps.ts";

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
const call: Demand = { usd: undefined, tokens: 0, llmCalls: 1, toolCalls: 0 };

describe("a budget", () => {
  it("holds no dollars for a call whose price is unknown", () => {
    const quota: Quota = { ...noCaps, maxCostUsd: 5, onExceed: "warn" };
    const crew = createLevel([quota], { level: "crew", name: "desk", key: "desk", stop() {} });
    const [, warnings] = reserve(within(undefined, crew), call, 0);
    expect(warnings).toMatchObject([{ quota: "max_cost_usd", wanted: null }]);
    expect(crew.ofRun.reserved.usd).toBe(0);
  });
});
