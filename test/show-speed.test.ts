import { expect, it } from "vitest";
import { type ShowOptions, show } from "../src/cli/show-command.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { eventsOf } from "./events-of.ts";
import { keepRuns, printed } from "./kept-runs.ts";

const id = "run_0123456789abcdef0123";
const slow = { ms: 2000, msToFirstToken: 430 };

/** A run whose calls were measured, as those of real models are. */
const measured = (await eventsOf("views/everything")).map((event): BatonEvent => {
  if (event.type !== "model.completed") return event;
  return { ...event, data: { ...event.data, ...slow, tokensPerSecond: (event.data.usage?.output ?? 0) / 2 } };
});

async function shown(options: ShowOptions, columns: number) {
  const store = await keepRuns({ [id]: measured });
  return (await printed((terminal) => show(id, options, terminal, store), columns)).output;
}

it("baton show says how many calls there were, how many failed, and how fast they came", async () => {
  expect(await shown({}, 80)).toContain("calls     7, and 1 that failed; first words after 0.43s, 42 tokens/s\n");
});

it("--cost says so of every agent and model, where there is room", async () => {
  const [head, boss, clerk] = (await shown({ cost: true }, 120)).split("\n");
  expect(head).toMatch(/calls {2}failed .* first {2}tokens\/s/);
  expect(boss).toMatch(/^boss .* 1 {7}0 .* 0.43s {8}10 /);
  expect(clerk).toMatch(/^clerk .* 2 {7}1 .* 0.43s {8}33 /);
});

it("--events says of a reply what it took, what of that was cached, what it cost, and how fast it came", async () => {
  expect(await shown({ events: true }, 200)).toContain(
    "2,400 → 40 tokens (1,200 cached), $0.0078, first after 0.430s, 20/s, stop: ",
  );
});
