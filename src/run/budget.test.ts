import { describe, expect, it } from "vitest";
import { createQuota } from "../../test/create-quota.ts";
import type { Quota } from "../vocabulary/quota.ts";
import { type Budget, createLevel, findExcess, mostPerCall, reserve, settle, within } from "./budget.ts";
import type { Demand } from "./quota-caps.ts";

const call: Demand = { usd: undefined, tokens: 0, llmCalls: 1, toolCalls: 0 };

function open(...quotas: readonly Partial<Quota>[]) {
  const crew = createLevel(quotas.map(createQuota), { level: "crew", name: "desk", key: "desk", stop() {} });
  const budget: Budget = within(undefined, crew);
  return { crew, budget };
}

describe("a budget", () => {
  it("holds no dollars for a call whose price is unknown, nor gives any back while another is under way", () => {
    const { crew, budget } = open({ maxCostUsd: 5, onExceed: "warn" });
    const [first, warnings] = reserve(budget, call, 0);
    expect(warnings).toMatchObject([{ quota: "max_cost_usd", wanted: null }]);
    expect(crew.ofRun.reserved.usd).toBe(0);
    reserve(budget, call, 0);
    settle(first, { usd: 0.5, tokens: 10 });
    expect(crew.ofRun.reserved.usd).toBe(0);
    expect(crew.ofRun.spent).toMatchObject({ usd: 0.5, tokens: 10, llmCalls: 2 });
  });

  it.each([
    [["degrade", "stop"], "stop"],
    [["degrade", "pause"], "pause"],
    [["pause", "stop"], "stop"],
  ] as const)("does what the strictest of two exceeded quotas says: %j", (exceeded, wanted) => {
    const { budget } = open(...exceeded.map((onExceed) => ({ maxLlmCalls: 0, onExceed })));
    expect(findExcess(budget, call, 0)?.kept.quota.onExceed).toBe(wanted);
  });

  it("lets a call take any number of tokens unless a quota that does more than warn caps single calls", () => {
    expect(mostPerCall(open({ maxTokensPerCall: 50, onExceed: "warn" }, {}).budget)).toBe(Number.POSITIVE_INFINITY);
    expect(mostPerCall(open({}, { maxTokensPerCall: 50 }, { maxTokensPerCall: 80 }).budget)).toBe(50);
  });
});
