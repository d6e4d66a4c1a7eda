import { describe, expect, it } from "vitest";
import { comparePaths } from "./ask.ts";

describe("places in a run", () => {
  it("are in the order in which things were declared, ten after two", () => {
    const places = ["2", "10", "0/t0/c1/k0", "0/t0/c0/k0/0", "1/k10/0", "1/k2/3", "1/k2/3/t0", "1/k2.1", "1/b0", "0"];
    expect(places.toSorted(comparePaths)).toEqual([
      "0",
      "0/t0/c0/k0/0",
      "0/t0/c1/k0",
      "1/b0",
      "1/k2/3",
      "1/k2/3/t0",
      "1/k2.1",
      "1/k10/0",
      "2",
      "10",
    ]);
  });
});
