import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { withoutLost } from "../fuzz/without-lost.ts";
import { findScenarios } from "../src/scenario/play-scenarios.ts";
import { readScenario, type Scenario } from "../src/scenario/read-scenario.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { loadWrittenCrew } from "./load-written-crew.ts";
import { type Playing, play } from "./play.ts";

/** Scenarios whose runs have all that can make two runs differ: branches that race, retries, tools, sub-agents. */
const names = ["race", "tools-and-sub-agents", "retries-and-limits", "crews-of-crews", "compose", "for-each"].map(
  (name) => `${name}.scenario.yaml`,
);

describe.each(names)("a run over its own journal: %s", (name) => {
  const loaded = load(name);
  if (loaded === undefined) throw new Error(`${name} does not load`);
  const { crew, scenario } = loaded;
  const script = scenario.script ?? new Map();
  const run = (recorded: readonly BatonEvent[], onCall: (what: string) => void = () => {}) =>
    play(crew, scenario.input ?? "", { script, tools: scenario.tools, recorded, onCall });

  it("gives the same events and calls nothing", async () => {
    const events = await run([]);
    const calls: string[] = [];
    expect(await run(events, (what) => calls.push(what))).toEqual(events);
    expect(calls).toEqual([]);
  });

  it("comes to the same end from wherever it was interrupted, and repeats no call that was recorded", async () => {
    const events = await run([]);
    for (let cut = 1; cut < events.length; cut++) {
      const recorded = events.slice(0, cut);
      const calls: string[] = [];
      const again = await run(recorded, (what) => calls.push(what));
      // What was under way starts anew, so branches may race in another order; what happens in them is the same.
      expect(sorted(withoutLost(again).map(factsOf)), `interrupted after event ${cut}`).toEqual(
        sorted(withoutLost(events).map(factsOf)),
      );
      expect(again.slice(0, cut)).toEqual(recorded);
      const done = recorded.filter(({ type }) => /^(model|tool|function)\.(completed|failed)$/.test(type)).length;
      const all = events.filter(({ type }) => /^(model|tool|function)\.(completed|failed)$/.test(type)).length;
      expect(calls.length).toBeLessThanOrEqual(all - done);
    }
  });

  it("is cancelled where it was cancelled", async () => {
    const all = await run([]);
    const input = scenario.input ?? "";
    for (const { seq } of all.filter(({ type }) => type === "model.called")) {
      const abort = new AbortController();
      const onEvent = (event: BatonEvent) => {
        if (event.seq === seq) abort.abort();
      };
      const events = await play(crew, input, { script, tools: scenario.tools, signal: abort.signal, onEvent });
      expect(await run(events), `cancelled at event ${seq}`).toEqual(events);
    }
  });

  it("is cancelled when that is asked for while it is still being replayed", async () => {
    const { run: playAgain } = player(name);
    const all = await run([]);
    // Where the next thing to come is one that takes time.
    const cuts = all.flatMap(({ ts }, index) => (index > 1 && ts > (all[index - 1]?.ts ?? ts) ? [index] : []));
    for (const cut of cuts) {
      const recorded = all.slice(0, cut);
      const events = await playAgain({ recorded, signal: AbortSignal.abort() });
      expect(events.at(-1)?.type, `interrupted after event ${cut}`).toBe("run.cancelled");
      expect(await run(events)).toEqual(events);
    }
  });

  it("is stopped where it was stopped, and goes on from there if its process dies before that", async () => {
    const { run: playAgain } = player(name);
    const calls = (await run([])).filter(({ type }) => type === "model.called");
    for (const [index, { seq = 0 }] of calls.entries()) {
      const stop = new AbortController();
      const onEvent = (event: BatonEvent) => {
        if (event.seq === seq) stop.abort();
      };
      const events = await playAgain({ stop: stop.signal, onEvent });
      expect(await run(events), `stopped at event ${seq}`).toEqual(events);
      // Between them, the places where the run is stopped have every cut.
      for (let cut = seq + (index % 3); cut < events.length; cut += 3) {
        const again = await run(events.slice(0, cut));
        expect(await run(again), `stopped at event ${seq}, interrupted after ${cut}`).toEqual(again);
      }
    }
  });

  it("numbers its events without a gap", async () => {
    const events = await run([]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  });
});

describe("a run that went on after its process died", () => {
  it("ended what was under way in an order that can be replayed", async () => {
    const { run } = player("limits/run-timeout-in-a-tool-and-a-sub-agent-at-once.scenario.yaml");
    const events = await run({});
    for (let cut = 1; cut < events.length; cut++) {
      const again = await run({ recorded: events.slice(0, cut) });
      expect(await run({ recorded: again }), `interrupted after event ${cut}`).toEqual(again);
    }
  });
});

function sorted(facts: readonly unknown[]): string[] {
  return facts.map((fact) => JSON.stringify(fact)).sort();
}

describe("a run over the journal of another run", () => {
  it("fails with what differs, and does not wait for ever", async () => {
    const { crew, scenario } = load("retries-and-limits.scenario.yaml") ?? {};
    if (crew === undefined || scenario === undefined) throw new Error("the scenario does not load");
    const script = scenario.script ?? new Map();
    const events = await play(crew, "Begin", { script });
    const without = events.filter(({ type }) => type !== "model.completed");
    await expect(play(crew, "Begin", { script, recorded: without })).rejects.toThrow(/the journal (has|goes on)/);
    const other = { ...crew, entryPoint: { type: "agent" as const, agent: "b" } };
    await expect(play(other, "Begin", { script, recorded: events })).rejects.toThrow("the journal has");
  });
});

describe("a run over a journal from which an event was lost", () => {
  it("fails with what differs, wherever it was", async () => {
    const { run } = player("limits/run-timeout-in-a-tool-and-a-sub-agent-at-once.scenario.yaml");
    const events = await run({});
    for (let lost = 1; lost < events.length - 1; lost++) {
      const recorded = events.toSpliced(lost, 1);
      await expect(run({ recorded }), `without event ${lost}`).rejects.toThrow(/the journal (has|goes on)/);
    }
  });
});

describe("a run over a journal that is paused", () => {
  it("does nothing, even where the journal lost what came before the pause", async () => {
    const { run } = player("sessions/tools-of-one-turn-run-at-once.scenario.yaml");
    const needApproval = ["weigh"];
    const events = await run({ needApproval });
    expect(events.at(-1)?.type).toBe("run.paused");
    const recorded = events.filter(({ type }) => type !== "tool.completed");
    expect(recorded).toHaveLength(events.length - 1);
    const told: string[] = [];
    const onEvent = ({ type }: BatonEvent) => void told.push(type);
    await run({ needApproval, recorded, onEvent, onCall: (what) => told.push(what) });
    expect(told).toEqual([]);
  });
});

describe("the journal of every scenario", () => {
  const folder = fileURLToPath(new URL("./scenarios", import.meta.url));
  const playable = findScenarios(folder).filter((file) => /^files:/m.test(readFileSync(file, "utf8")));

  it.each(playable.map((file) => [relative(folder, file)]))("can be replayed without a call: %s", async (name) => {
    const loaded = load(name);
    if (loaded === undefined) return;
    const { crew, scenario } = loaded;
    const script = scenario.script ?? new Map();
    const playing = { script, tools: scenario.tools };
    const events = await play(crew, scenario.input ?? "", playing);
    const calls: string[] = [];
    const again = await play(crew, scenario.input ?? "", {
      ...playing,
      recorded: events,
      onCall: (what) => calls.push(what),
    });
    expect(again).toEqual(events);
    expect(calls).toEqual([]);
  });
});

/** What must be the same however often a run is replayed: all but times and ids. */
function factsOf({ type, path, agent, data }: BatonEvent): unknown {
  return { type, path, agent, data };
}

/** Plays a scenario as often as it is asked to. */
function player(name: string): { readonly run: (playing: Omit<Playing, "script">) => Promise<BatonEvent[]> } {
  const { crew, scenario } = load(name) ?? {};
  if (crew === undefined || scenario === undefined) throw new Error(`${name} does not load`);
  const { input = "", script = new Map(), tools } = scenario;
  return { run: (playing) => play(crew, input, { script, tools, ...playing }) };
}

/** The crew of a scenario; undefined where the scenario is about one that does not load. */
function load(name: string): { readonly crew: Crew; readonly scenario: Scenario } | undefined {
  const read = readScenario(fileURLToPath(new URL(`./scenarios/${name}`, import.meta.url)), (each) => each);
  if ("diagnostics" in read) throw new Error(`${name}: ${read.diagnostics[0]?.message}`);
  const { scenario } = read;
  if (scenario.expect?.status === "invalid") return undefined;
  const tools = [...(scenario.tools?.keys() ?? [])];
  const { crew } = loadWrittenCrew(Object.fromEntries(scenario.files ?? []), scenario.run ?? ".", { tools });
  return { crew, scenario };
}
