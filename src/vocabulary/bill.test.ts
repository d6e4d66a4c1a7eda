import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addUsd, roundUsd } from "./bill.ts";

describe("a sum of dollars", () => {
  it("has no more decimals than its parts", () => {
    expect(roundUsd((0.15 * 1100 + 0.6 * 750) / 1_000_000)).toBe(0.000615);
    expect(addUsd(0.1, 0.2)).toBe(0.3);
    expect(addUsd(addUsd(0.00041, 0.000205), -0.000205)).toBe(0.00041);
    expect(addUsd(123_456.1, 0.2)).toBe(123_456.3);
  });

  it("is the same in any order, to the last decimal", () => {
    const amount = fc.nat({ max: 10_000_000 }).map((parts) => roundUsd(parts / 1e9));
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 50 }), (amounts) => {
        const exact = amounts.reduce((sum, each) => sum + Math.round(each * 1e9), 0);
        expect(amounts.reduce(addUsd, 0)).toBe(exact / 1e9);
        expect(amounts.toReversed().reduce(addUsd, 0)).toBe(exact / 1e9);
      }),
    );
  });
});
