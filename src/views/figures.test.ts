import { describe, expect, it } from "vitest";
import type { BatonEvent } from "../vocabulary/events.ts";
import { Tally } from "./figures.ts";

const usage = { input: 3, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 5 };
const reply = (data: object) =>
  ({
    type: "model.completed",
    data: { model: "m", text: "", toolCalls: [], finish: "stop", ...data },
  }) as unknown as BatonEvent;
const failure = (code: string) =>
  ({ type: "model.failed", data: { model: "m", code, message: "no" } }) as unknown as BatonEvent;

describe("figures", () => {
  it("do not know a sum of tokens of which one part is unknown", () => {
    const tally = new Tally()
      .count(reply({ usage, costUsd: 1 }))
      .count(reply({ costUsd: 0 }))
      .count(reply({ usage }));
    const unknown = { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null, total: null };
    expect(tally).toMatchObject({ calls: 3, usage: unknown, cost: { usd: null, unknownCalls: 1 } });
  });

  it("do not know the tokens of failed attempts that nobody counted, and leave them out of sums", () => {
    const tally = new Tally().count(failure("timeout"));
    expect(tally).toMatchObject({
      calls: 0,
      usage: { input: null, total: null },
      cost: { usd: null, unknownCalls: 1 },
    });
    expect(tally.count(failure("cancelled")).usage.total).toBeNull();
    expect(tally.count(reply({ usage, costUsd: 1 })).usage).toEqual(usage);
    expect(tally.count(failure("lost")).usage).toEqual(usage);
    expect(tally.count(reply({ costUsd: 0 })).usage.total).toBeNull();
    expect(tally.count(reply({ usage, costUsd: 1 })).usage.total).toBeNull();
  });

  it("know that an attempt which the provider refused used nothing", () => {
    const tally = new Tally().count(failure("status_429"));
    expect(tally).toMatchObject({ calls: 0, usage: { total: 0 }, cost: { usd: 0, unknownCalls: 0 } });
    expect(new Tally().count(failure("lost")).count(failure("status_500")).usage.total).toBe(0);
  });

  it("know the cost of what is free though nobody counted its tokens", () => {
    const tally = new Tally().count(reply({ costUsd: 0 }));
    expect(tally).toMatchObject({ usage: { total: null }, cost: { usd: 0, unknownCalls: 0 } });
  });
});
