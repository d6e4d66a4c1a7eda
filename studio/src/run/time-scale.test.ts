import { describe, expect, it } from "vitest";
import { buildTimeScale } from "./time-scale.ts";

const hour = 3_600_000;

describe("the scale of a time line", () => {
  it("folds two hours of waiting into a short break", () => {
    const work = [
      { from: 0, to: 5_000 },
      { from: 2 * hour, to: 2 * hour + 5_000 },
    ];
    const scale = buildTimeScale(work, { from: 0, to: 2 * hour + 5_000 }, true);
    expect(scale.breaks).toEqual([{ from: 5_000, to: 2 * hour }]);
    expect(scale.toX(5_000)).toBeCloseTo(0.48, 1);
    expect(scale.toX(2 * hour)).toBeCloseTo(0.52, 1);
    expect(scale.toTime(scale.toX(2 * hour + 1_000))).toBeCloseTo(2 * hour + 1_000, -1);
  });

  it("is true to time where that is asked for", () => {
    const scale = buildTimeScale([{ from: 0, to: 10 }], { from: 0, to: hour }, false);
    expect(scale.breaks).toEqual([]);
    expect(scale.toX(hour / 2)).toBeCloseTo(0.5);
  });

  it("keeps short gaps as they are", () => {
    const work = [
      { from: 0, to: 1_000 },
      { from: 1_500, to: 3_000 },
    ];
    expect(buildTimeScale(work, { from: 0, to: 3_000 }, true).breaks).toEqual([]);
  });

  it("places a run of one moment", () => {
    const scale = buildTimeScale([], { from: 7, to: 7 }, true);
    expect(scale.toX(7)).toBe(0);
  });
});
