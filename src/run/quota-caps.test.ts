import { describe, expect, it } from "vitest";
import { type Counter, noteCall, nothingSpent } from "./quota-caps.ts";

describe("the times of model calls", () => {
  it("are kept for an hour, and no longer", () => {
    const counter: Counter = {
      spent: nothingSpent,
      reserved: { usd: 0, tokens: 0 },
      open: 0,
      others: nothingSpent,
      calledAt: [],
    };
    for (const ts of [0, 1, 3_599_999]) noteCall(counter, ts);
    expect(counter.calledAt).toEqual([0, 1, 3_599_999]);
    noteCall(counter, 3_600_000);
    expect(counter.calledAt).toEqual([1, 3_599_999, 3_600_000]);
  });
});
