import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { checkAgUi } from "../fuzz/check-ag-ui.ts";
import { fuzzAgUi } from "../fuzz/runs.ts";
import { findScenarios } from "../src/scenario/play-scenarios.ts";
import { playOnce } from "./play-once.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Those of the examples, and of the others the first of each folder. */
const others = Map.groupBy(findScenarios(`${root}test/scenarios`), dirname).values();
const files = [...findScenarios(`${root}examples`), ...[...others].flatMap((names) => names.slice(0, 2))];

it.each(files.map((file) => relative(root, file)))(
  "%s is told in a way that AG-UI's own client takes",
  async (name) => {
    const { events = [] } = (await playOnce(`${root}${name}`)) ?? {};
    expect(await checkAgUi(events)).toEqual([]);
  },
);

it("random crews are, too (`npm run fuzz -- ag-ui` tries two thousand)", async () => {
  expect((await fuzzAgUi({ count: 80, seed: 50_000_000 })).failures).toEqual([]);
});
