import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Model, ModelRequest } from "../src/models/model.ts";
import { createRedactor } from "../src/redaction/redactor.ts";
import { sleep } from "../src/run/clock.ts";
import { createDayTotals, type DayTotals } from "../src/run/day-totals.ts";
import { createVirtualClock } from "../src/run/virtual-clock.ts";
import { checkAnswer } from "../src/runtime/check-answer.ts";
import { answerEvent } from "../src/runtime/continuation-events.ts";
import { execute } from "../src/runtime/execute.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import type { Quota } from "../src/vocabulary/quota.ts";
import { loadWrittenCrew } from "./load-written-crew.ts";

/** What a model does: how much of what it may use, and how long it takes. */
interface Conduct {
  readonly share: number;
  readonly latencyMs: number;
  readonly fails: boolean;
}

interface Playing {
  readonly conduct?: readonly Conduct[];
  readonly dayTotals?: DayTotals;
  readonly recorded?: readonly BatonEvent[];
  readonly onRequest?: (request: ModelRequest) => void;
}

const diligent: Conduct = { share: 1, latencyMs: 1, fails: false };

/** Runs a crew whose models use at most what was reserved for them. */
async function play(crew: Crew, { conduct = [diligent], dayTotals, recorded = [], onRequest }: Playing = {}) {
  const clock = createVirtualClock(recorded.at(-1)?.ts);
  const events = [...recorded];
  let calls = 0;
  const model: Model = {
    name: "test/model",
    async call(request) {
      onRequest?.(request);
      const { share, latencyMs, fails } = conduct[calls++ % conduct.length] ?? diligent;
      await sleep(clock, latencyMs, request.signal);
      if (fails) throw new Error("broken");
      const bytes = Buffer.byteLength(
        request.system +
          request
            .messages()
            .map(({ text }) => text)
            .join(""),
      );
      const input = Math.floor((share * bytes) / 3);
      const output = Math.floor(share * (request.sampling.maxOutputTokens ?? 4096));
      const usage = { input, output, total: input + output, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
      return { text: request.agent === "lead" ? "go [ASK]" : "done", toolCalls: [], finish: "stop", usage };
    },
  };
  await execute(
    {
      crew,
      redactor: createRedactor({}),
      clock,
      models: () => [model],
      findFunction: () => undefined,
      tool: () => {
        throw new Error("no tools");
      },
      external: async () => ({ failures: [] }),
      dayTotals,
    },
    {
      id: toRunId("run_test"),
      start: { input: "Begin" },
      recorded,
      onEvent: (event) => void (event.seq !== undefined && events.push(event)),
    },
  );
  return events;
}

interface Figures {
  readonly usd: number;
  readonly tokens: number;
  readonly calls: number;
}

/** What was spent by some agent, or by all of them. */
function spent(events: readonly BatonEvent[], agent?: string): Figures {
  let [usd, tokens, calls] = [0, 0, 0];
  for (const event of events) {
    if (agent !== undefined && event.agent !== agent) continue;
    if (event.type === "model.called") calls++;
    if (event.type !== "model.completed") continue;
    usd += event.data.costUsd ?? 0;
    tokens += event.data.usage?.total ?? 0;
  }
  return { usd, tokens, calls };
}

function isWithin({ usd, tokens, calls }: Figures, { maxCostUsd, maxTokens, maxLlmCalls }: Quota): boolean {
  const fits = (value: number, limit = Number.POSITIVE_INFINITY) => value <= limit + 1e-9;
  return fits(usd, maxCostUsd) && fits(tokens, maxTokens) && fits(calls, maxLlmCalls);
}

/** A crew whose lead asks a group again and again. */
function groupCrew(agents: readonly object[], settings: object, waitForAll = true): Crew {
  const ids = agents.map((_, index) => `m${index}`);
  const group = { agents: ids, wait_for_all: waitForAll, next_agent: "lead" };
  const crew = {
    version: "2.0",
    name: "spenders",
    entry_point: "lead",
    agents: ["lead", ...ids],
    routing: { signals: { lead: [{ signal: "[ASK]", target: "all" }] }, parallel_groups: { all: group } },
    settings: { max_handoffs: 8, retry_backoff_min_millis: 0, ...settings },
  };
  const written = ["lead", ...ids].map((id, index) => [
    `agents/${id}.yaml`,
    JSON.stringify({ id, system_prompt: "Say [ASK].", ...(agents[index - 1] ?? agents[0]) }),
  ]);
  return loadWrittenCrew({ "crew.yaml": JSON.stringify(crew), ...Object.fromEntries(written) }).crew;
}

const onExceed = fc.constantFrom("stop", "degrade");

/** Caps that some calls fit under, and not all that could be made. */
const someQuota = fc.oneof(
  fc.record({ max_cost_usd: fc.double({ min: 0.1, max: 8, noNaN: true }), on_exceed: onExceed }),
  fc.record({ max_tokens: fc.integer({ min: 100, max: 3000 }), on_exceed: onExceed }),
  fc.record({ max_llm_calls: fc.integer({ min: 1, max: 12 }), on_exceed: onExceed }),
);

const someAgent = fc.record(
  {
    max_output_tokens: fc.integer({ min: 10, max: 300 }),
    cost_limits: fc.record({
      input_token_price_per_million: fc.integer({ min: 0, max: 3000 }),
      output_token_price_per_million: fc.integer({ min: 0, max: 10_000 }),
    }),
    quotas: someQuota,
  },
  { requiredKeys: ["max_output_tokens", "cost_limits"] },
);

const someConduct = fc.record({
  share: fc.constantFrom(0, 0.5, 0.9, 1, 1),
  latencyMs: fc.integer({ min: 0, max: 20 }),
  fails: fc.constantFrom(false, false, false, true),
});

describe("quotas", () => {
  it("are kept at every level, however many branches spend at once and whatever their bills are", async () => {
    const cases = fc.asyncProperty(
      fc.array(someAgent, { minLength: 2, maxLength: 6 }),
      fc.record({ quotas: fc.array(someQuota, { minLength: 1, maxLength: 2 }) }),
      fc.array(someConduct, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (agents, settings, conduct, waitForAll) => {
        const crew = groupCrew(agents, settings, waitForAll);
        const events = await play(crew, { conduct });
        for (const quota of crew.settings.quotas) expect(isWithin(spent(events), quota)).toBe(true);
        for (const { id, quotas } of crew.agents.values())
          for (const quota of quotas) expect(isWithin(spent(events, id), quota)).toBe(true);
        expect(await play(crew, { conduct, recorded: events })).toEqual(events);
      },
    );
    await fc.assert(cases, { numRuns: 150 });
  });

  it("send a model the output limit that was reserved, where tokens or dollars are capped", async () => {
    const limits: unknown[] = [];
    const onRequest = ({ sampling }: ModelRequest) => limits.push(sampling.maxOutputTokens);
    await play(groupCrew([{}], { max_handoffs: 0 }), { onRequest });
    await play(groupCrew([{}], { max_handoffs: 0, quotas: { max_llm_calls: 9 } }), { onRequest });
    await play(groupCrew([{}], { max_handoffs: 0, quotas: { max_tokens: 9000 } }), { onRequest });
    await play(groupCrew([{}], { max_handoffs: 0, max_tokens_per_call: 50 }), { onRequest });
    expect(limits).toEqual([undefined, undefined, 4096, 40]);
  });
});

describe("a call that a process died over", () => {
  it("is booked with all that was reserved for it", async () => {
    const priced = { cost_limits: { input_token_price_per_million: 0, output_token_price_per_million: 10_000 } };
    const crew = groupCrew([{ max_output_tokens: 100, ...priced }], { quotas: { max_cost_usd: 2 }, max_handoffs: 0 });
    const events = await play(crew);
    const broken = events.slice(0, 1 + events.findIndex(({ type }) => type === "model.called"));
    const again = await play(crew, { recorded: broken });
    const once = await play(crew, {
      recorded: again.slice(0, again.findLastIndex(({ type }) => type === "model.called") + 1),
    });
    expect(again.at(-1)).toMatchObject({ type: "run.completed" });
    expect(once.at(-1)).toMatchObject({ type: "run.failed", data: { stopReason: "quota" } });
    expect(await play(crew, { recorded: once })).toEqual(once);
  });
});

describe("the answer to a quota that pauses", () => {
  const crew = groupCrew([{}], {});
  const paused = { agent: "lead", reason: "quota", prompt: "", options: ["quota"] } as const;

  it.each([{ max_cost_usd: 2 }, { maxLlmCalls: 3, max_tokens: 0.5 }])("raises caps: %j", (quota) => {
    expect(() => checkAnswer(paused, { quota }, crew)).not.toThrow();
  });

  it.each([
    [undefined, "'quota' must raise a cap"],
    [{}, "'quota' must raise a cap"],
    [7, "'quota' must raise a cap"],
    [{ max_cost: 2 }, "there is no cap 'max_cost'"],
    [{ max_cost_usd: "2" }, "'max_cost_usd' must be a number"],
    [{ max_cost_usd: -1 }, "'max_cost_usd' must be a number"],
    [{ max_cost_usd: Number.NaN }, "'max_cost_usd' must be a number"],
  ])("is refused before it is recorded: %j", (quota, why) => {
    expect(() => checkAnswer(paused, { quota }, crew)).toThrow(why);
  });
});

describe("a quota of a day", () => {
  const settings = { max_handoffs: 0, quotas: { max_llm_calls: 3, per: "day" } };
  const reasonOf = (events: readonly BatonEvent[]) => {
    const end = events.at(-1);
    return end?.type === "run.failed" || end?.type === "run.completed" ? end.data.stopReason : end?.type;
  };

  it("counts over all runs of the day", async () => {
    const dayTotals = createDayTotals();
    const crew = groupCrew([{}], settings);
    const reasons = [];
    for (let run = 0; run < 4; run++) reasons.push(reasonOf(await play(crew, { dayTotals })));
    expect(reasons).toEqual(["max_handoffs", "max_handoffs", "max_handoffs", "quota"]);
  });

  it("is kept by runs that go on at once", async () => {
    const agent = {
      max_output_tokens: 100,
      cost_limits: { input_token_price_per_million: 0, output_token_price_per_million: 10_000 },
    };
    const crew = groupCrew([agent], { max_handoffs: 0, quotas: { max_cost_usd: 2, per: "day" } });
    const dayTotals = createDayTotals();
    const runs = await Promise.all([1, 2, 3].map(() => play(crew, { dayTotals })));
    expect(runs.map(reasonOf).sort()).toEqual(["max_handoffs", "max_handoffs", "quota"]);
    expect(dayTotals.read("2026-01-01 spenders")).toEqual({ usd: 2, tokens: 210, llmCalls: 2, toolCalls: 0 });
  });

  it("is neither looked at nor counted again where a run is replayed", async () => {
    const dayTotals = createDayTotals();
    const crew = groupCrew([{}], settings);
    await play(crew, { dayTotals });
    const events = await play(crew, { dayTotals });
    expect(events.map(({ type }) => type)).toContain("quota.day");
    const before = dayTotals.read("2026-01-01 spenders");
    expect(before.llmCalls).toBe(2);
    dayTotals.add("2026-01-01 spenders", { usd: 0, tokens: 0, llmCalls: 5, toolCalls: 0 });
    expect(await play(crew, { dayTotals, recorded: events })).toEqual(events);
    expect(dayTotals.read("2026-01-01 spenders").llmCalls).toBe(7);
  });

  it("begins anew with the next day, and counts a run's own calls once when it is resumed", async () => {
    const dayTotals = createDayTotals();
    const crew = groupCrew([{}], { quotas: { max_llm_calls: 2, per: "day", on_exceed: "pause" }, max_handoffs: 2 });
    const events = await play(crew, { dayTotals });
    const paused = events.at(-1);
    if (paused?.type !== "run.paused") throw new Error("the run is not paused");
    const tomorrow = createVirtualClock(paused.ts + 24 * 3_600_000);
    const resumed = answerEvent(paused, { quota: { max_llm_calls: 2 } }, tomorrow);
    const again = await play(crew, { dayTotals, recorded: [...events, resumed] });
    expect(reasonOf(again)).toBe("max_handoffs");
    expect(dayTotals.read("2026-01-01 spenders").llmCalls).toBe(2);
    expect(dayTotals.read("2026-01-02 spenders").llmCalls).toBe(1);
  });
});
