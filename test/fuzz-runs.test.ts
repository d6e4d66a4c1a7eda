import { describe, expect, it } from "vitest";
import { fuzzLeaks } from "../fuzz/leaks.ts";
import { fuzzCrews, fuzzRuns } from "../fuzz/runs.ts";

describe("random crews", () => {
  it("never hang or throw, and keep every rule of a run, by the hundred (`npm run fuzz` tries twenty thousand)", async () => {
    const { failures, ends } = await fuzzRuns({ count: 250, seed: 30_000_000 });
    expect(failures).toEqual([]);
    expect(ends.size).toBeGreaterThan(8);
  });
});

describe("random crews that call crews", () => {
  it("never hang or throw, and can be replayed, by the hundred (`npm run fuzz -- crews` tries five thousand)", async () => {
    const { failures, ends } = await fuzzCrews({ count: 100, seed: 40_000_000 });
    expect(failures).toEqual([]);
    expect(ends.size).toBeGreaterThan(6);
  });
});

describe("many runs in one process", () => {
  it("leave no memory, timers or listeners behind (`npm run fuzz -- leaks` tries a hundred thousand)", async () => {
    expect(await fuzzLeaks({ count: 3000 })).toMatchObject({ problems: [] });
  });
});
