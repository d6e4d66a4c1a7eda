import { describe, expect, it } from "vitest";
import { diagnosePlants, scoreOf } from "../bench/score-diagnosis.ts";
import { findingCodes } from "../src/diagnosis/finding.ts";

const plants = await diagnosePlants();

describe("a diagnosis", () => {
  it("finds at least nine in ten of the failures that were planted, and hardly any others", () => {
    const { planted, precision, recall } = scoreOf(plants);
    expect(planted).toBeGreaterThan(90);
    expect(precision).toBeGreaterThanOrEqual(0.9);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  });

  it("does as well on failures that were planted after it was written", () => {
    const { precision, recall } = scoreOf(plants.filter(({ isHeldOut }) => isHeldOut));
    expect(precision).toBeGreaterThanOrEqual(0.9);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  });

  const incomplete = ["truncated-answer", "filtered-answer", "empty-answer"];
  const tried = Object.entries(findingCodes).filter(([code, mode]) => mode !== undefined || incomplete.includes(code));

  it.each(tried.map(([code]) => code))("is tried on at least three plants of %s, and finds most of them", (code) => {
    const { planted, recall } = scoreOf(plants, code);
    expect(planted).toBeGreaterThanOrEqual(3);
    expect(recall).toBeGreaterThan(0.7);
  });

  it("has nothing to say of runs that are in order", () => {
    const clean = plants.filter(({ planted }) => planted.size === 0);
    expect(clean.length).toBeGreaterThan(40);
    expect(clean.filter(({ found }) => found.size > 0).map(({ name }) => name)).toEqual([]);
  });
});
