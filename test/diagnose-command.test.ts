import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { longRun } from "../bench/long-run.ts";
import { diagnose as diagnoseCommand } from "../src/cli/diagnose-command.ts";
import { countCells } from "../src/cli/live/cells.ts";
import { diagnose } from "../src/diagnosis/diagnose.ts";
import type { BatonEvent, EventData, EventType } from "../src/vocabulary/events.ts";
import { eventsOf } from "./events-of.ts";
import { keepRuns, printed } from "./kept-runs.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const id = "run_0123456789abcdef0123";
const everything = await eventsOf("views/everything");

async function shown(events: readonly BatonEvent[], options = {}, columns?: number) {
  const store = await keepRuns({ [id]: events });
  return (await printed((terminal) => diagnoseCommand(id, options, terminal, store), columns)).output;
}

/** The events with the data of one type changed. */
function changed<Type extends EventType>(events: readonly BatonEvent[], type: Type, data: Partial<EventData[Type]>) {
  return events.map((event) =>
    event.type === type ? ({ ...event, data: { ...event.data, ...data } } as BatonEvent) : event,
  );
}

describe("baton diagnose", () => {
  it("says so where nothing went wrong", async () => {
    expect(await shown(await eventsOf("handoff/include-both"))).toContain("\nnothing found: ");
  });

  it("lets no word of an agent or a tool steer the terminal", async () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J\u202eI will now\u0000 assume that\r it is not my department";
    const answered = changed(changed(everything, "agent.completed", { answer: evil }), "tool.failed", {
      message: evil,
      tool: evil,
    });
    const named = answered.map((event) =>
      event.agent === undefined ? event : { ...event, agent: `${event.agent}${evil}` },
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(await shown(named, {}, 60)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it.each([40, 60, 100])("keeps within a screen of %i columns", async (columns) => {
    const lines = (await shown(longRun(200), {}, columns)).split("\n");
    expect(lines.filter((line) => countCells(line) > columns)).toEqual([]);
  });

  it("says of a run that waits for whom, and of one that was interrupted which call has no result", async () => {
    const paused = everything.findIndex(({ type }) => type === "run.paused");
    expect(await shown(everything.slice(0, paused + 1))).toContain("boss waits for an answer (gate)");
    expect(await shown(everything.slice(0, 3))).toMatch(/1 call has no result\.\n {4}2 {2}clerk {2}model\.called/);
  });

  it("gives no shares of what nobody counted", async () => {
    const uncounted = everything.map((event): BatonEvent => {
      if (event.type !== "model.completed") return event;
      const { usage: _, costUsd: __, ...data } = event.data;
      return { ...event, data };
    });
    const lines = (await shown(uncounted)).split("\n");
    expect(lines).toContain("unknown tokens, cost unknown");
    const { spending } = diagnose(uncounted);
    expect(spending.agents.map(({ share }) => share)).toEqual(spending.agents.map(() => null));
  });

  it("is the same as JSON, with the key to change", async () => {
    const { findings, ...rest } = JSON.parse(await shown(everything, { json: true }));
    expect(rest).toMatchObject({ runId: id, status: "completed", stopReason: "terminal", files: "unknown" });
    expect(findings).toContainEqual(
      expect.objectContaining({ code: "out-of-role", where: { agent: "clerk", keys: ["tools"] } }),
    );
  });
});

describe("the line to change", () => {
  const files = {
    "crew.yaml": `version: "2.0"\nname: outer\nagents: [lead]\nsub_crews: { lab: { config_path: lab } }\nrouting:\n  signals:\n    lead: [{ signal: "[LAB]", target_crew: lab, on_error: continue }, { signal: "[DONE]", target: "" }]\n`,
    "agents/lead.md": "---\ndescription: leads\n---\nSay [LAB] or [DONE].\n",
    "lab/crew.yaml": `version: "2.0"\nname: lab\nagents: [a, b]\nrouting:\n  signals:\n    a: [{ signal: "[B]", target: b }]\n    b: [{ signal: "[A]", target: a }]\nsettings:\n  max_handoffs: 2\n`,
    "lab/agents/a.md": "---\ndescription: one\n---\nSay [B].\n",
    "lab/agents/b.md": "---\ndescription: two\n---\nSay [A].\n",
    "script.yaml": `lead: ["Off [LAB]", "Well [DONE]"]\na: ["ping [B]", "ping [B]"]\nb: ["pong [A]"]\n`,
  };
  const cwd = writeCrew(files);
  const place = () => {
    const { findings, files: state } = JSON.parse(runBaton(["diagnose", "last", "--json"], { cwd }).stdout);
    const { place: found, where } = findings.find(({ code }: { code: string }) => code === "unaware-of-end");
    return { state, where, place: found && `${found.file}:${found.line}` };
  };
  beforeAll(() => {
    expect(runBaton(["run", ".", "Go", "--script", "script.yaml"], { cwd }).exitCode).toBe(0);
  });

  it("is one of the sub-crew whose agents it is about", () => {
    const where = { crew: "lab", keys: ["routing", "signals", "a"] };
    expect(place()).toEqual({ state: "unchanged", where, place: "lab/crew.yaml:6" });
  });

  it("is named by its key where the files have changed since, or are gone", () => {
    writeFileSync(join(cwd, "lab/agents/a.md"), "---\ndescription: one\n---\nSay [B] now.\n");
    expect(place()).toMatchObject({ state: "changed", place: undefined });
    rmSync(join(cwd, "lab"), { recursive: true });
    expect(place()).toMatchObject({ state: "changed", place: undefined });
    expect(runBaton(["diagnose", "last"], { cwd }).stdout).toContain(
      "→ crew.yaml of lab: routing.signals.a  bind a signal",
    );
  });
});

describe("diagnose", () => {
  it("can be asked at any event of a run, with its crew and without", () => {
    for (let end = 1; end <= everything.length; end++)
      expect(diagnose(everything.slice(0, end)).runId).toBe("run_scenario");
  });

  it("reads a classification of low confidence, whoever tells it", () => {
    const [started, ...rest] = everything;
    const data = { agent: "clerk", confidence: 0.1, low_confidence: true };
    const told = { ...started, seq: 1, type: "classification", data } as unknown as BatonEvent;
    const { findings } = diagnose([started as BatonEvent, told, ...rest]);
    expect(findings).toContainEqual(
      expect.objectContaining({ code: "wrong-handoff", title: "no agent fitted the request well" }),
    );
  });

  it("tells a failure once that crews pass on to the crews around them", async () => {
    const tooDeep = diagnose(await eventsOf("multi-crew/max-crew-depth")).findings;
    expect(tooDeep.map(({ code }) => code)).toEqual(["limit-reached"]);
    const passedOn = diagnose(await eventsOf("multi-crew/propagate-two-deep")).findings;
    expect(passedOn.map(({ title }) => title)).toEqual([
      "the model of mid/lab/meter failed",
      "the sub-crew lab failed",
    ]);
  });

  it("does not say that a run went on after a group without a result", async () => {
    const { findings } = diagnose(await eventsOf("parallel/all-fail"));
    const [group] = findings.filter(({ code }) => code === "branch-failed");
    expect(group).toMatchObject({
      severity: "high",
      why: expect.stringMatching(/failed, so group \w+ has no result\.$/),
    });
    expect(findings.map(({ code }) => code)).not.toContain("run-failed");
  });

  it("counts what failed attempts took", async () => {
    const usage = { input: 9_000, output: 900, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 9_900 };
    const { findings, spending } = diagnose(changed(everything, "model.failed", { usage }));
    expect(spending.failed.usage.total).toBe(9_900);
    expect(findings).toContainEqual(expect.objectContaining({ code: "burnt-budget" }));
  });

  it("gives one finding for what happened many times, with a few of its events", () => {
    const { findings } = diagnose(longRun(10_000));
    expect(findings.length).toBeLessThan(100);
    expect(Math.max(...findings.map(({ evidence }) => evidence.length))).toBeLessThanOrEqual(8);
    expect(Math.max(...findings.map(({ events }) => events))).toBeGreaterThan(100);
  });
});
