import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findScenarios, runScenario } from "../src/scenario/play-scenarios.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const conformance = join(root, "../shared/conformance");
const listed = readFileSync(join(root, ".ci/conformance"), "utf8")
  .split("\n")
  .filter((line) => line !== "");
const folders = [
  join(root, "test/scenarios"),
  join(root, "examples"),
  ...listed.map((name) => join(conformance, name)).filter((folder) => existsSync(folder)),
];

describe("scenarios", () => {
  it.each(folders.flatMap(findScenarios).map((file) => [relative(root, file), file]))("%s", async (_, file) => {
    const { problems } = await runScenario(file, root);
    expect(problems.join("\n")).toBe("");
  });
});
