import { describe, expect, it } from "vitest";
import { fuzzLoading } from "../fuzz/load.ts";

describe("damaged crews", () => {
  it("never make loading throw, by the thousand (`npm run fuzz` tries a hundred thousand)", () => {
    const { failures, codes } = fuzzLoading({ count: 1000, seed: 20_000_000 });
    expect(failures).toEqual([]);
    expect(codes.size).toBeGreaterThan(15);
  });
});
