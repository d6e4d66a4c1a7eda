import { describe, expect, it } from "vitest";
import { type BatonEvent, defineAgent, defineCrew, type Model, ModelError } from "../src/index.ts";
import type { Store } from "../src/journal/store.ts";
import { keepRuns } from "./kept-runs.ts";

const usage = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 1_000_000 };
const done: Model = { name: "fake/m", call: () => ({ text: "Done.", toolCalls: [], finish: "stop", usage }) };

function open(model: Model, agents: readonly ReturnType<typeof defineAgent>[], store?: Store) {
  return defineCrew(
    { name: "desk", models: ["fake/m"], agents },
    { models: { "fake/m": model }, ...(store && { store }) },
  );
}

const priced = (usdPerMillion: number) => ({
  input_token_price_per_million: usdPerMillion,
  output_token_price_per_million: usdPerMillion,
});

describe("a model call that its process died over", () => {
  it.each([
    ["costs nothing where the model is free", 0, { usd: 0, unknownCalls: 0 }],
    ["has an unknown cost where the model is not", 1, { usd: null, unknownCalls: 1 }],
  ])("%s", async (_, usdPerMillion, cost) => {
    const agents = [defineAgent({ id: "a", prompt: "Work.", cost_limits: priced(usdPerMillion) })];
    const events: BatonEvent[] = [];
    await open(done, agents).run("go", { onEvent: (event) => void (event.seq !== undefined && events.push(event)) });
    const called = events.findIndex(({ type }) => type === "model.called");
    const store = await keepRuns({ run_1: events.slice(0, called + 1) });
    expect((await open(done, agents, store).recover("run_1").result).cost).toEqual(cost);
  });
});

it("what a failed call has cost counts for `cost_over`", async () => {
  const agents = [
    defineAgent({ id: "a", prompt: "Work.", cost_limits: priced(1), handoff: { to: "b", when: { cost_over: 1.5 } } }),
    defineAgent({ id: "b", prompt: "Work." }),
  ];
  const failsFirst: Model = {
    ...done,
    call(request) {
      if (request.agent === "a" && request.calls === 1)
        throw new ModelError("interrupted", { isRetryable: true, usage });
      return done.call(request);
    },
  };
  expect((await open(failsFirst, agents).run("go")).path).toEqual(["a", "b"]);
  expect((await open(done, agents).run("go")).path).toEqual(["a"]);
});
