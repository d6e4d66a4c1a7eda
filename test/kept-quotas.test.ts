import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../src/journal/memory-store.ts";
import type { Store } from "../src/journal/store.ts";
import { openCrew } from "../src/library/crew-handle.ts";
import { defineCrew } from "../src/library/define-crew.ts";
import type { Model } from "../src/models/model.ts";
import { script } from "../src/prepare/script.ts";
import { createVirtualClock } from "../src/run/virtual-clock.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { keepRuns } from "./kept-runs.ts";
import { loadWrittenCrew } from "./load-written-crew.ts";

const usage = { input: 0, output: 100, total: 100, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** A model that costs a cent a token, and is known by that price to those who have it only. */
const dear: Model = {
  name: "test/dear",
  listed: {
    contextWindow: undefined,
    findPrice: ({ output }) => ({ inputUsd: 0, outputUsd: output / 100, entry: "test" }),
  },
  call: () => ({ text: "more [AGAIN]", toolCalls: [], finish: "stop", usage }),
};

/** A crew that goes on until a quota stops it, at a dollar a call, as another process would open it. */
function open(store: Store, quotas: object) {
  const { crew } = loadWrittenCrew({
    "crew.yaml": JSON.stringify({
      version: "2.0",
      name: "dear",
      agents: ["a"],
      routing: { signals: { a: [{ signal: "[AGAIN]", target: "a" }] } },
      settings: { max_handoffs: 1, quotas },
    }),
    "agents/a.md": "---\nmodels: [test/dear]\nmax_output_tokens: 100\n---\nSay [AGAIN].",
  });
  return openCrew(crew, [], { store, clock: createVirtualClock(), models: { custom: { "test/dear": dear } } });
}

describe("a day's spending", () => {
  it("is kept in the store, for runs of all processes", async () => {
    const store = openMemoryStore();
    const quotas = { max_cost_usd: 5, per: "day" };
    const reasons = [];
    for (let process = 0; process < 3; process++) reasons.push((await open(store, quotas).run("go")).stopReason);
    expect(reasons).toEqual(["max_handoffs", "max_handoffs", "quota"]);
    const spent = { usd: 5, tokens: 500, llmCalls: 5, toolCalls: 0 };
    expect(await store.documents("spending")).toMatchObject([{ key: "2026-01-01 dear", value: spent }]);
  });

  it("is each agent's own where agents have caps of their own", async () => {
    const store = openMemoryStore();
    const agents = ["a", "b"].map((id) => ({ id, prompt: "Work.", quotas: { per: "day", maxLlmCalls: 1 } as const }));
    const runOf = (entryPoint: string) =>
      defineCrew(
        { name: "desk", agents, entryPoint, settings: { onNoSignal: "stop" } },
        { store, clock: createVirtualClock(), script: script({ a: ["fine"], b: ["fine"] }) },
      ).run("go");
    const reasons = [];
    for (const entry of ["a", "b", "a", "b"]) reasons.push((await runOf(entry)).stopReason);
    expect(reasons).toEqual(["answer", "answer", "quota", "quota"]);
    const documents = await store.documents("spending");
    expect(documents.map(({ key }) => key)).toEqual(["2026-01-01 desk/a", "2026-01-01 desk/b"]);
  });

  it("adds up where processes write at once", async () => {
    const store = openMemoryStore();
    const quotas = { max_cost_usd: 100, per: "day" };
    await Promise.all(Array.from({ length: 8 }, () => open(store, quotas).run("go")));
    expect(await store.get("spending", "2026-01-01 dear")).toMatchObject({ value: { usd: 16, llmCalls: 16 } });
  });

  it("has what a fork spends, from wherever it begins, and not what its past did", async () => {
    const store = openMemoryStore();
    const crew = open(store, { max_cost_usd: 100, per: "day" });
    const { runId } = await crew.run("go");
    const calls = (await store.read(runId)).filter(({ type }) => type === "model.called" || type === "model.completed");
    let usd = 2;
    for (const [index, { seq = 0 }] of calls.entries()) {
      expect(await crew.fork(runId, { at: seq }).result).toMatchObject({ cost: { usd: 2, unknownCalls: 0 } });
      // Of two calls, those are made that have no reply yet.
      usd += 2 - Math.ceil(index / 2);
      expect(await store.get("spending", "2026-01-01 dear")).toMatchObject({ value: { usd, llmCalls: usd } });
    }
  });

  it("is booked by a run that goes on from wherever it was interrupted, and replays", async () => {
    const group = { agents: ["b", "c"], wait_for_all: true };
    const definition = {
      name: "dear",
      models: ["test/dear"],
      agents: ["a", "b", "c"].map((id) => ({ id, description: id, prompt: "Work.", max_output_tokens: 100 })),
      routing: { signals: { a: [{ signal: "[AGAIN]", target: "both" }] }, parallel_groups: { both: group } },
      settings: { quotas: { max_cost_usd: 9, per: "day" }, on_no_signal: "stop" },
    } as const;
    const openWith = (store: Store) => defineCrew(definition, { store, models: { "test/dear": dear } });
    const store = openMemoryStore();
    const { runId, status } = await openWith(store).run("go");
    expect(status).toBe("completed");
    const events = await store.read(toRunId(runId));
    const seen = events.filter(({ type }) => type === "quota.day").map(({ path }) => path);
    expect(seen).toEqual(["0/t0/m0/day", "1/b0/t0/m0/day", "1/b1/t0/m0/day"]);
    const before = events.findLastIndex(({ type }) => type === "run.completed");
    for (let length = 1; length <= before; length++) {
      const broken = await keepRuns({ [runId]: events.slice(0, length) });
      const crew = openWith(broken);
      expect((await crew.recover(runId).result).status, `after ${length} events`).toBe("completed");
      expect(await crew.replay(runId)).not.toHaveProperty("divergence");
    }
  });

  it("is not written for crews without such quotas", async () => {
    const store = openMemoryStore();
    await open(store, { max_cost_usd: 100 }).run("go");
    expect(await store.documents("spending")).toEqual([]);
  });
});

describe("a run that a quota has paused", () => {
  it("is resumed, replayed and cancelled by those who do not know the prices any more", async () => {
    const store = openMemoryStore();
    const crew = open(store, { max_cost_usd: 1, on_exceed: "pause" });
    const { runId, paused } = await crew.run("go");
    expect(paused?.reason).toBe("quota");
    expect(await crew.replay(runId)).not.toHaveProperty("divergence");
    expect(await crew.cancel(runId)).toMatchObject({ status: "cancelled" });
    const other = await crew.run("go");
    const resumed = await crew.resume(other.runId, { quota: { max_cost_usd: 3 } }).result;
    expect(resumed).toMatchObject({ stopReason: "max_handoffs", cost: { usd: 2 } });
    expect(await crew.replay(other.runId)).not.toHaveProperty("divergence");
  });
});
