import { describe, expect, it } from "vitest";
import type { BatonEvent } from "../vocabulary/events.ts";
import { Tally } from "./figures.ts";

const usage = { input: 3, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 5 };
const reply = (data: object) =>
  ({
    type: "model.completed",
    data: { model: "m", text: "", toolCalls: [], finish: "stop", ...data },
  }) as unknown as BatonEvent;

describe("figures", () => {
  it("do not know a sum of tokens of which one part is unknown", () => {
    const tally = new Tally()
      .count(reply({ usage, costUsd: 1 }))
      .count(reply({ costUsd: 0 }))
      .count(reply({ usage }));
    const unknown = { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null, total: null };
    expect(tally).toMatchObject({ calls: 3, usage: unknown, cost: { usd: null, unknownCalls: 1 } });
  });

  it("know the cost of what is free though nobody counted its tokens", () => {
    const tally = new Tally().count(reply({ costUsd: 0 }));
    expect(tally).toMatchObject({ usage: { total: null }, cost: { usd: 0, unknownCalls: 0 } });
  });
});
