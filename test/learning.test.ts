import { describe, expect, it } from "vitest";
import { type CrewDefinition, type CrewHandle, openMemoryStore, type Store } from "../src/index.ts";
import type { ToolSpecification } from "../src/models/model.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { broken, desk, openCrew as open, teach } from "./learning-desk.ts";

async function figures(crew: CrewHandle): Promise<string[]> {
  const { paths } = await crew.stats();
  return paths.map(({ from, to, via, successes, failures }) => `${from ?? ""} ${via} ${to} ${successes}:${failures}`);
}

describe("what is learned of runs", () => {
  it("is how each handoff ended, and how each run began", async () => {
    const store = openMemoryStore();
    await open({}, store).run("refund");
    await open({ billing: broken }, store).run("refund");
    expect(await figures(open({}, store))).toEqual([" entry triage 1:1", "triage fallback billing 1:1"]);
  });

  it("is nothing where a crew says so", async () => {
    const store = openMemoryStore();
    const crew = open({}, store, { settings: { learning: false } });
    const { runId } = await crew.run("refund");
    await crew.feedback(runId, "good");
    expect(await figures(crew)).toEqual([]);
  });

  it("is nothing where no runs are kept", async () => {
    const crew = open({}, undefined);
    const { runId } = await crew.run("refund");
    expect(await figures(crew)).toEqual([]);
    await expect(crew.feedback(runId, "good")).rejects.toMatchObject({ code: "unknown-run" });
  });

  it("follows what a person says of a run, the last time it is said", async () => {
    const store = openMemoryStore();
    const crew = open({}, store);
    const { runId } = await crew.run("refund");
    await crew.feedback(runId, "bad", "too slow");
    expect(await figures(crew)).toEqual([" entry triage 0:1", "triage fallback billing 0:1"]);
    expect((await crew.stats()).unmatchedInputs).toMatchObject([{ unmatched: "feedback", input: "refund" }]);
    await crew.feedback(runId, "good");
    await crew.feedback(runId, "good");
    expect(await figures(crew)).toEqual([" entry triage 1:0", "triage fallback billing 1:0"]);
    expect((await crew.stats()).unmatchedInputs).toEqual([]);
    await expect(crew.feedback("run_none", "good")).rejects.toMatchObject({ code: "unknown-run" });
  });

  it("keeps no secret of what a person says of a run", async () => {
    const store = openMemoryStore();
    const { runId } = await open({}, store).run("refund");
    const key = `sk-${"a1b2c3d4".repeat(4)}`;
    const said = await open({}, store).feedback(runId, "bad", `it showed the key ${key}`);
    expect(said.words).toBe("it showed the key [REDACTED:OpenAI key]");
    expect((await store.get("feedback", runId))?.value).toEqual(said);
    const unredacted = await open({}, store, { settings: { redact: false } }).feedback(runId, "bad", `the key ${key}`);
    expect(unredacted.words).toBe(`the key ${key}`);
  });

  it("counts what was said of a run before it ended", async () => {
    const store = openMemoryStore();
    const waiting = { routing: { agent_behaviors: { triage: { wait_for_signal: true } } } };
    const crew = open({ triage: "well?" }, store, waiting);
    const { runId } = await crew.run("refund");
    expect(await figures(crew)).toEqual([]);
    await crew.feedback(runId, "bad");
    await crew.cancel(runId);
    expect(await figures(crew)).toEqual([" entry triage 0:1"]);
  });

  it("leaves to a run what its forks have in common with it", async () => {
    const store = openMemoryStore();
    const crew = open({}, store);
    const { runId } = await crew.run("refund");
    const at = (await store.read(runId)).findIndex(({ type }) => type === "handoff");
    await crew.fork(runId, { at }).result;
    expect(await figures(crew)).toEqual([" entry triage 1:0", "triage fallback billing 1:0"]);
    await crew.fork(runId, { at: at - 1 }).result;
    expect(await figures(crew)).toEqual(["triage fallback billing 2:0", " entry triage 1:0"]);
  });

  it("is neither success nor failure where a run was cancelled", async () => {
    const store = openMemoryStore();
    const crew = open({}, store);
    await crew.run("refund", { signal: AbortSignal.abort() });
    expect(await figures(crew)).toEqual([" entry triage 0:0"]);
  });
});

describe("suggestions", () => {
  it("rank targets by how probable a success is on an input like this", async () => {
    const store = openMemoryStore();
    await teach(store);
    const ranked = await open({}, store).suggest({ agent: "triage", input: "my machine is broken" });
    expect(ranked.map(({ agent }) => agent)).toEqual(["repairs", "billing"]);
    expect(ranked[0]?.expected).toBeGreaterThan(0.9);
    expect(ranked[1]?.expected).toBeLessThan(0.2);
  });

  it("go by descriptions where nothing is known, and say how unsure that is", async () => {
    const [first, second] = await open({}, undefined).suggest({
      agent: "triage",
      input: "I want a refund of invoices",
    });
    expect(first).toMatchObject({ agent: "billing", successes: 0, failures: 0 });
    expect((first?.high ?? 0) - (first?.low ?? 0)).toBeGreaterThan(0.5);
    expect(second?.agent).toBe("repairs");
  });

  it("rank who may begin where no agent is given", async () => {
    const ranked = await open({}, undefined).suggest({ input: "refunds" });
    expect(ranked.map(({ agent }) => agent)).toContain("triage");
    expect(ranked[0]?.agent).toBe("billing");
  });

  it("are given for agents of sub-crews, by the names they have in events", async () => {
    const store = openMemoryStore();
    const office = open({}, store, {
      name: "office",
      agents: [{ id: "triage", prompt: "Sort." }],
      routing: {},
    }).withSubCrew("lab", { ...desk, name: "lab" });
    const ranked = await office.suggest({ agent: "lab/triage" });
    expect(ranked.map(({ agent }) => agent)).toEqual(["repairs", "billing"]);
    await expect(office.suggest({ agent: "lab/triag" })).rejects.toThrow("did you mean 'lab/triage'?");
  });

  it("are refused for an agent that is not there", async () => {
    await expect(open({}, undefined).suggest({ agent: "triag" })).rejects.toThrow("did you mean 'triage'?");
  });
});

describe("learning: auto", () => {
  const auto = { settings: { learning: { auto: true } } };

  it("takes the target that did clearly better where no signal matched, and says why", async () => {
    const store = openMemoryStore();
    await teach(store);
    const crew = open({ triage: "hm" }, store, auto);
    const { path, runId } = await crew.run("my machine is broken");
    expect(path).toEqual(["triage", "repairs"]);
    const event = (await store.read(runId)).find(({ type }) => type === "route.learned");
    expect(event).toMatchObject({
      agent: "triage",
      data: {
        from: "triage",
        declared: "billing",
        chosen: "repairs",
        targets: [{ to: "repairs", successes: 12 }, { to: "billing" }],
      },
    });
    const handoff = (await store.read(runId)).find(({ type }) => type === "handoff");
    expect(handoff?.data).toMatchObject({
      to: "repairs",
      reason: expect.stringMatching(/^no signal; repairs is expected to do well in \d+ % of cases, billing in \d+ %$/),
    });
    expect(await crew.replay(runId)).not.toHaveProperty("divergence");
    const { path: without } = await open({ triage: "hm" }, store).run("my machine is broken");
    expect(without).toEqual(["triage", "billing"]);
  });

  it("decides the same when a run is replayed after more was learned", async () => {
    const store = openMemoryStore();
    await teach(store);
    const crew = open({ triage: "hm" }, store, auto);
    const { runId } = await crew.run("my machine is broken");
    await store.forget({});
    expect(await crew.replay(runId)).not.toHaveProperty("divergence");
  });

  it("changes nothing unless it is asked for, nor against a signal or a default, nor on little evidence", async () => {
    const store = openMemoryStore();
    await teach(store);
    const path = async (crew: CrewHandle) => (await crew.run("my machine is broken")).path;
    expect(await path(open({ triage: "hm" }, store))).toEqual(["triage", "billing"]);
    const byDefault = { ...auto, routing: { defaults: { triage: "billing" } } };
    expect(await path(open({ triage: "hm" }, store, byDefault))).toEqual(["triage", "billing"]);
    const bySignal = { ...auto, routing: { signals: { triage: [{ signal: "[BILL]", target: "billing" }] } } };
    expect(await path(open({ triage: "[BILL]" }, store, bySignal))).toEqual(["triage", "billing"]);
    const empty = openMemoryStore();
    await open({ triage: "[REPAIR]" }, empty).run("my machine is broken");
    expect(await path(open({ triage: "hm" }, empty, auto))).toEqual(["triage", "billing"]);
  });

  it("is undone by forgetting", async () => {
    const store = openMemoryStore();
    await teach(store);
    await store.forget({ crew: "desk", from: "triage", to: "repairs" });
    expect((await open({ triage: "hm" }, store, auto).run("my machine is broken")).path).toEqual(["triage", "billing"]);
  });
});

describe("learning: hints", () => {
  const routed = {
    agents: [
      { id: "triage", prompt: "Sort.", router: { destinations: ["billing", "repairs"] } },
      ...desk.agents.slice(1),
    ],
    routing: {},
  };

  it("show a router how its destinations did, and only where they are wanted", async () => {
    const store = openMemoryStore();
    let seen = "";
    const see = (tools: readonly unknown[]) => {
      seen = JSON.stringify(tools);
      return "to repairs";
    };
    const without = open({ triage: see }, store, routed);
    await without.run("my machine is broken");
    expect(seen).toContain("repairs: broken machines");
    await without.run("my machine is broken");
    expect(seen).not.toContain("went well");
    const crew = open({ triage: see }, store, { ...routed, settings: { learning: { hints: true } } });
    const { runId } = await crew.run("my machine is broken");
    expect(seen).toContain("repairs: broken machines (2 of 2 earlier handoffs went well; ");
    expect(seen).not.toContain("refunds (");
    const [started] = await store.read(runId);
    expect(started?.data).toMatchObject({
      learned: [{ from: "triage", targets: [{ to: "repairs", successes: 2 }, { to: "billing" }] }],
    });
    expect(await crew.replay(runId)).not.toHaveProperty("divergence");
  });

  it("with auto, put destinations of one priority into the order of their prospects", async () => {
    const store = openMemoryStore();
    let order: unknown;
    const see = (tools: readonly unknown[]) => {
      order = /"enum":(\[[^\]]*\])/.exec(JSON.stringify(tools))?.[1];
      return "to repairs";
    };
    await open({ triage: see }, store, routed).run("my machine is broken");
    expect(order).toBe('["billing","repairs"]');
    await open({ triage: see }, store, { ...routed, settings: { learning: { auto: true } } }).run(
      "my machine is broken",
    );
    expect(order).toBe('["repairs","billing"]');
  });
});

describe("what was learned of collaborators", () => {
  const triage = { id: "triage", prompt: "Sort.", collaborations: ["billing", "repairs"] };
  const collaborating = { agents: [triage, ...desk.agents.slice(1)], routing: {} };
  const bare = [
    "transfer_to_billing: Transfers the work to billing, who takes over from you (invoices and refunds).",
    "transfer_to_repairs: Transfers the work to repairs, who takes over from you (broken machines).",
  ];
  /** A run that transfers to repairs, and the tools that its agent was offered. */
  const offered = async (store: Store, learning: object, change: Partial<CrewDefinition> = {}) => {
    let tools: readonly string[] = [];
    const choose = (given: readonly ToolSpecification[]) => {
      tools = given.map(({ name, description }) => `${name}: ${description}`);
      return "transfer to repairs";
    };
    const crew = open({ triage: choose }, store, { ...collaborating, ...change, settings: { learning } });
    const { runId, path } = await crew.run("my machine is broken");
    expect(path).toEqual(["triage", "repairs"]);
    expect(await crew.replay(runId)).not.toHaveProperty("divergence");
    return { tools, events: await store.read(toRunId(runId)) };
  };

  it("is told in the description of each transfer tool with hints, and only there", async () => {
    const store = openMemoryStore();
    await offered(store, {});
    expect((await offered(store, {})).tools).toEqual(bare);
    const { tools, events } = await offered(store, { hints: true });
    expect(tools).toEqual([
      bare[0],
      expect.stringMatching(
        /\(broken machines \(2 of 2 earlier handoffs went well; \d\d % expected for this request\)\)\.$/,
      ),
    ]);
    expect(events[0]?.data).toMatchObject({
      learned: [{ from: "triage", targets: [{ to: "repairs", successes: 2 }, {}] }],
    });
  });

  it("orders transfer tools of one priority with auto, and not without it, nor once it is forgotten", async () => {
    const store = openMemoryStore();
    await offered(store, {});
    expect((await offered(store, { hints: true })).tools[0]).toBe(bare[0]);
    const { tools, events } = await offered(store, { auto: true });
    expect(tools).toEqual(bare.toReversed());
    expect(events[0]?.data).toMatchObject({
      learned: [{ from: "triage", targets: [{ to: "repairs" }, { to: "billing" }] }],
    });
    const first = { ...triage, collaborations: [{ agent: "billing", priority: 1 }, "repairs"] };
    const preferring = { agents: [first, ...desk.agents.slice(1)] };
    expect((await offered(store, { auto: true }, preferring)).tools).toEqual(bare);
    expect((await offered(store, {})).tools).toEqual(bare);
    await store.forget({});
    expect((await offered(store, { auto: true })).tools).toEqual(bare);
  });
});
