import { describe, expect, it } from "vitest";
import { fuzzPlans } from "../fuzz/runs.ts";
import { planLines } from "../src/cli/show/plan-lines.ts";
import { plainStyle } from "../src/cli/terminal.ts";
import { loadTexts } from "../src/definition/load-definition.ts";
import type { ModelFacts } from "../src/flow/plan/model-facts.ts";
import { planToJson } from "../src/flow/plan/plan.ts";
import { planOf } from "../src/flow/plan/plan-of.ts";
import { openCrew } from "../src/library/crew-handle.ts";
import { planCrew } from "../src/library/plan-crew.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import { agentFiles, loadWrittenCrew } from "./load-written-crew.ts";
import { plannedMistakes } from "./planned-mistakes.ts";

function crewOf(agents: Readonly<Record<string, string>>, keys = ""): Crew {
  const ids = Object.keys(agents);
  const head = `version: "2.0"\nname: test\nagents: [${ids.join(", ")}]\nentry_point: ${ids[0]}\n`;
  return loadWrittenCrew({ "crew.yaml": head + keys, ...agentFiles(agents) }).crew;
}

/** A dollar for a million tokens read, ten for a million written. */
const facts: ModelFacts = {
  name: "test/one",
  contextWindow: 10_000,
  outputLimit: 500,
  findPrice: (input, output) => ({ inputUsd: input / 1e6, outputUsd: output / 1e5 }),
};
const listModels = () => [facts];

describe("crews that were made wrong on purpose", () => {
  it.each(Object.entries(plannedMistakes))("are told so by their plan: %s", async (_, { agents, keys, says }) => {
    const plan = await planCrew(crewOf(agents, keys), "Begin", {}, {});
    const text = planLines(plan, plainStyle, Number.POSITIVE_INFINITY).join("\n");
    for (const each of says) expect(text).toContain(each);
  });
});

describe("suggestions", () => {
  const model = "models: [test/one]";
  const lower = (keys: string) =>
    planOf(crewOf({ a: model, b: model, c: model }, keys), { input: "Begin", listModels }).suggestions.map(
      ({ key }) => key,
    );

  it("lower max_handoffs where only that ends a loop", () => {
    expect(lower("routing: { defaults: { c: a } }\n")).toContain("settings.max_handoffs");
  });

  it("leave it where the work may need each of its handoffs", () => {
    expect(lower("settings: { max_handoffs: 3 }\n")).not.toContain("settings.max_handoffs");
  });
});

describe("the plans of random crews", () => {
  it("are exceeded by no run, by the hundred (`npm run fuzz -- plan` tries twenty thousand)", async () => {
    expect((await fuzzPlans({ count: 100, seed: 60_000_000 })).failures).toEqual([]);
  }, 300_000);
});

describe("guards and memory", () => {
  const quick = "max_turns: 1\nmax_retries: 0";

  it("adds the judges of a crew's own guards", () => {
    const guards = "guards: { input: [{ agent: judge }], output: [{ agent: judge }] }\n";
    const own = planOf(crewOf({ a: `${quick}\nis_terminal: true`, judge: quick }, guards), { listModels });
    expect(own.worst.modelCalls).toBe(3);
    expect(own.agents.find(({ agent }) => agent === "judge")?.modelCalls).toBe(2);
  });

  it("names the model for embeddings, whose calls have no price", () => {
    const memory = "memory: { scope: crew, embed: openai/text-embedding-3-small }";
    const { worst, unknown } = planOf(crewOf({ a: `${quick}\n${memory}` }), { listModels });
    expect(unknown).toEqual([{ agent: "a", why: expect.stringContaining("openai/text-embedding-3-small") }]);
    expect([worst.modelCalls, worst.costUsd]).toEqual([1, null]);
    const local = planOf(crewOf({ a: `${quick}\nmemory: { scope: crew, embed: local/words }` }), { listModels });
    expect(local.unknown).toEqual([]);
  });
});

describe("tokens and dollars", () => {
  it("grow with what can have been said, and are capped by the window", () => {
    const { sums } = planOf(crewOf({ a: "max_turns: 30\nmax_retries: 0" }), { input: "Begin", listModels });
    const inputs = sums.map(({ inputTokens }) => inputTokens);
    expect(inputs[0]).toBeLessThan(300);
    expect(Math.max(...inputs)).toBe(10_000);
    expect(new Set(inputs).size).toBe(inputs.length);
  });

  it("add up line by line", () => {
    const { sums, worst } = planOf(crewOf({ a: "", b: "" }), { input: "Begin", listModels });
    const total = sums.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
    expect(worst.costUsd).toBeCloseTo(total, 6);
    expect(worst.inputTokens).toBeCloseTo(
      sums.reduce((sum, each) => sum + each.calls * each.inputTokens, 0),
      6,
    );
    expect(worst.outputTokens).toBe(80 * 500);
  });

  it("are less for a smaller input, and the largest without one", () => {
    const crew = crewOf({ a: "max_turns: 1\nmax_retries: 0" });
    const cost = (input?: string) => planOf(crew, { input, listModels }).worst.costUsd ?? 0;
    expect(cost("Hi")).toBeLessThan(cost("Hi ".repeat(1000)));
    expect(planOf(crew, { listModels }).worst.inputTokens).toBe(10_000);
  });

  it("are bounded by a hard quota, also where a price is not known", () => {
    const crew = crewOf({ a: "" }, "settings: {quotas: {max_cost_usd: 0.5}}");
    expect(planOf(crew, {}).worst.costUsd).toBe(0);
    expect(
      planOf(crew, { listModels: () => [{ ...facts, findPrice: () => ({ inputUsd: 9, outputUsd: 9 }) }] }).worst
        .costUsd,
    ).toBe(0.5);
  });

  it("count the dearest models of a chain as often as they can be tried", () => {
    const dear: ModelFacts = { ...facts, name: "test/dear", findPrice: () => ({ inputUsd: 1, outputUsd: 0 }) };
    const cheap: ModelFacts = { ...facts, name: "test/cheap", findPrice: () => ({ inputUsd: 0.1, outputUsd: 0 }) };
    const crew = crewOf({ a: "max_turns: 1\nmax_retries: 3" });
    expect(planOf(crew, { listModels: () => [dear, cheap] }).worst.costUsd).toBeCloseTo(2.2, 6);
    expect(planOf(crew, { listModels: () => [cheap, dear] }).worst.costUsd).toBeCloseTo(3.1, 6);
  });
});

describe("a plan as JSON", () => {
  it("has these keys, and null for what cannot be bounded", () => {
    const json = planToJson(planOf(crewOf({ a: "" }), { input: "Begin" }));
    expect(Object.keys(json)).toEqual([
      "worst",
      "likely",
      "agents",
      "loops",
      "deadEnds",
      "unreachable",
      "unknown",
      "suggestions",
    ]);
    expect(json.worst).toMatchObject({
      handoffs: 0,
      rounds: 1,
      modelCalls: 40,
      costUsd: null,
      outputTokens: null,
      path: ["a"],
    });
    expect(json.unknown.map(({ agent }) => agent)).toEqual(["a", "a"]);
  });
});

describe("a crew handle", () => {
  it("plans its crew with the models and runs that it has", async () => {
    const handle = openCrew(crewOf({ a: "max_turns: 1" }), [], {});
    expect((await handle.plan("Begin", { model: "openai/gpt-4.1-mini" })).worst).toMatchObject({
      modelCalls: 4,
      path: ["a"],
    });
    await expect(handle.plan("Begin", { model: "gpt" })).rejects.toMatchObject({ code: "bad-model" });
  });
});

describe("the likely case", () => {
  const crew = crewOf({ a: "", b: "", c: "is_terminal: true" });

  it("is the shortest way with the assumed turns and output where no run is recorded", () => {
    const { likely } = planOf(crew, {
      input: "Begin",
      listModels,
      assume: { output: 100, turns: 2, path: "shortest" },
    });
    expect(likely).toMatchObject({
      handoffs: 2,
      modelCalls: 3,
      outputTokens: 300,
      runs: 0,
      assumed: "output=100,turns=2,path=shortest",
    });
  });

  it("is the median of recorded runs, with what nine of ten stay below", () => {
    const run = (modelCalls: number) => ({
      path: ["a"],
      figures: {
        handoffs: 1,
        rounds: 2,
        modelCalls,
        toolCalls: 0,
        inputTokens: 10,
        outputTokens: 5,
        costUsd: null,
        seconds: 1,
      },
    });
    const { likely } = planOf(crew, { runs: [9, 1, 3, 2, 100].map(run) });
    expect(likely).toMatchObject({ modelCalls: 3, costUsd: null, runs: 5, p90: { modelCalls: 100 } });
  });
});

describe("a large crew", () => {
  it.each([false, true])(
    "of 200 agents that all lead to each other plans quickly (with pauses: %s)",
    { timeout: 60_000 },
    (pauses) => {
      const ids = Array.from({ length: 200 }, (_, index) => `a${index}`);
      const signals = Object.fromEntries(
        ids.map((id) => [id, ids.filter((to) => to !== id).map((target) => ({ signal: `[TO_${target}]`, target }))]),
      );
      const waiting = pauses ? { a7: [...(signals["a7"] ?? []), { signal: "[WAIT]", type: "pause" }] } : {};
      const crew = {
        version: "2.0",
        name: "large",
        agents: ids,
        routing: { signals: { ...signals, ...waiting } },
        settings: { max_handoffs: 50 },
      };
      const texts = ids.map((id) => ({ id, text: JSON.stringify({ id, system_prompt: "Work." }) }));
      const loaded = loadTexts(JSON.stringify(crew), texts, { workingDirectory: process.cwd() });
      if (loaded.crew === undefined) throw new Error("the crew does not load");
      const before = process.cpuUsage();
      const { worst } = planOf(loaded.crew, { suggests: false });
      const { user, system } = process.cpuUsage(before);
      expect(worst).toMatchObject({ handoffs: 50, rounds: pauses ? 100 : 51, modelCalls: pauses ? 4000 : 2040 });
      // A quiet machine takes a quarter of it.
      expect((user + system) / 1e6).toBeLessThan(pauses ? 12 : 3);
    },
  );
});
