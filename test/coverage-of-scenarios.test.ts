import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findShown } from "../src/scenario/coverage.ts";
import { playScenario } from "../src/scenario/play-scenario.ts";
import { findScenarios } from "../src/scenario/play-scenarios.ts";
import { readScenario } from "../src/scenario/read-scenario.ts";
import { runScenarios } from "../src/scenario/run-scenarios.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

describe("the examples", () => {
  it("are covered whole by scenarios that somebody wrote", async () => {
    const { failed, coverage = [] } = await runScenarios(["examples"], { workingDirectory: root, coverage: true });
    const missing = coverage.flatMap(({ crew: name, items }) =>
      items.flatMap((item) => (item.covered ? [] : [`${name}: ${item.name}`])),
    );
    expect([failed, missing]).toEqual([0, []]);
    const crews = readdirSync(join(root, "examples"));
    expect(coverage.length).toBeGreaterThanOrEqual(crews.length);
  });
});

describe("what runs show", () => {
  it("is always something that the crew's list has, but for limits at their defaults", async () => {
    const unlisted: string[] = [];
    for (const file of findScenarios(join(root, "test/scenarios"))) {
      const read = readScenario(file, () => file);
      if ("diagnostics" in read) continue;
      const played = await playScenario(read.scenario).catch(() => undefined);
      if (played === undefined) continue;
      for (const { items, shown } of findShown(read.scenario, played, root)) {
        const names = new Set(items.map(({ name }) => name));
        unlisted.push(...[...shown].filter((name) => !names.has(name) && !name.startsWith("limit ")));
      }
    }
    expect(unlisted).toEqual([]);
  });
});
