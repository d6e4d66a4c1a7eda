import { expect, it } from "vitest";
import { sumDays } from "./sum-days.ts";

const figures = [
  { day: "2026-11-01", crew: "a", runs: 2, cost: { usd: 1 }, ms: { p50: 150 }, statuses: { failed: 1, completed: 1 } },
  { day: "2026-11-03", crew: "a", runs: 1, cost: { usd: 2 }, ms: { p50: 50 }, statuses: { completed: 1 } },
  { day: "2026-11-03", crew: "b", runs: 1, cost: { usd: 5 }, ms: { p50: 150 }, statuses: { failed: 1 } },
];

it("days without runs are there, too, so that a gap is seen", () => {
  expect(sumDays(figures, undefined)).toEqual([
    { day: "2026-11-01", runs: 2, usd: 1, failed: 1, ms: 150 },
    { day: "2026-11-02", runs: 0, usd: 0, failed: 0, ms: 0 },
    { day: "2026-11-03", runs: 2, usd: 7, failed: 1, ms: 100 },
  ]);
});

it("one crew alone is summed when it is chosen", () => {
  expect(sumDays(figures, "b")).toMatchObject([{ day: "2026-11-03", usd: 5 }]);
  expect(sumDays([], "b")).toEqual([]);
});
