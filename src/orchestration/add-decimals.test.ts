import fc from "fast-check";
import { expect, it } from "vitest";
import { addDecimals } from "./add-decimals.ts";

it.each([
  [0.1, 0.2, 0.3],
  [0.3, -0.1, 0.2],
  [1.1, 2.2, 3.3],
  [19.99, 0.01, 20],
  [-0.5, 0.25, -0.25],
  [1e21, 0.5, 1e21],
  [1e-7, 2e-7, 3e-7],
  [2, 3, 5],
  [-0.1, 0.1, 0],
])("%d and %d are %d", (a, b, sum) => {
  expect(addDecimals(a, b)).toBe(sum);
});

it("amounts of cents add up in any order", () => {
  const cents = fc.array(fc.integer({ min: -100_000, max: 100_000 }), { maxLength: 30 });
  fc.assert(
    fc.property(cents, (amounts) => {
      const sum = amounts.reduce((total, amount) => addDecimals(total, amount / 100), 0);
      expect(sum).toBe(amounts.reduce((total, amount) => total + amount, 0) / 100 + 0);
    }),
  );
});

it("the sum is near what floating point gives, for all finite numbers", () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(number, number, (a, b) => {
      const sum = addDecimals(a, b);
      if (Number.isFinite(a + b))
        expect(Math.abs(sum - (a + b))).toBeLessThanOrEqual(Math.max(Math.abs(a), Math.abs(b)) * 1e-15);
      else expect(Number.isFinite(sum)).toBe(false);
    }),
  );
});
