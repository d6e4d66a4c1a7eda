import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type CrewDefinition, defineCrew, type Model } from "../src/index.ts";
import type { Store } from "../src/journal/store.ts";
import { listHandoffRecords } from "../src/learning/handoff-records.ts";
import { systemClock } from "../src/run/clock.ts";
import { continuationEvent } from "../src/runtime/continuation-events.ts";
import { foldProgress, measureRunMs, noProgress } from "../src/views/progress.ts";
import { buildRunTree } from "../src/views/run-tree.ts";
import { buildTranscript } from "../src/views/transcript.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { eventsOf } from "./events-of.ts";
import { keepRuns } from "./kept-runs.ts";

const DAY_MS = 86_400_000;

const desk: CrewDefinition = {
  name: "desk",
  models: ["m/m"],
  agents: [
    { id: "triage", description: "reads", prompt: "Read." },
    { id: "fixer", description: "repairs", prompt: "Repair.", isTerminal: true },
  ],
  routing: {
    signals: { triage: [{ signal: "[FIX]", target: "fixer" }] },
    agent_behaviors: { triage: { wait_for_signal: true } },
  },
};

function open(replies: readonly string[], store?: Store) {
  const left = [...replies];
  const call: Model["call"] = async () => {
    // Long enough for a limit of time that has passed to be noticed.
    await setTimeout(5);
    return { text: left.shift() ?? "", toolCalls: [], finish: "stop" };
  };
  const models = { "m/m": { name: "m/m", call } };
  return defineCrew(desk, { models, ...(store !== undefined && { store }) });
}

/** The events of a run that paused and ended, as if that had been some days ago. */
async function olden(days: number): Promise<BatonEvent[]> {
  const events: BatonEvent[] = [];
  const crew = open(["which?", "that one [FIX]", "mended"]);
  const onEvent = (event: BatonEvent) => void (event.seq !== undefined && events.push(event));
  const { runId } = await crew.run("help", { onEvent });
  await crew.resume(runId, { input: "left" }, { onEvent }).result;
  return events.map((event) => ({ ...event, ts: event.ts - days * DAY_MS }));
}

/** A store with a run whose process died a day ago after the first event of a type. */
async function diedAfter(type: BatonEvent["type"]): Promise<Store> {
  const events = await olden(1);
  const end = events.findIndex((event) => event.type === type) + 1;
  return keepRuns({ old: events.slice(0, end) });
}

const replies = (events: readonly BatonEvent[]) => events.filter(({ type }) => type === "model.completed").length;

const tookMs = (events: readonly BatonEvent[]) => buildRunTree(events).durationMs;

describe("time in which nobody ran a run", () => {
  it("does not count against its limits where its process had died", async () => {
    const store = await diedAfter("agent.started");
    expect(await open(["which?"], store).recover("old").result).toMatchObject({ status: "paused" });
    const result = await open(["that [FIX]", "mended"], store).resume("old", { input: "left" }).result;
    expect(result).toMatchObject({ status: "completed", output: "mended" });
  });

  it.each(["run.started", "agent.started", "model.called", "model.completed", "agent.completed"] as const)(
    "is nobody's in what is shown of it, its process having died at %s",
    async (type) => {
      const store = await diedAfter(type);
      const replies = ["which?", "that [FIX]", "mended"].slice(
        type === "agent.completed" || type === "model.completed" ? 1 : 0,
      );
      const crew = open(replies, store);
      await crew.recover("old").result;
      await crew.resume("old", { input: "left" }).result;
      const events = await store.read(toRunId("old"));
      expect(tookMs(events)).toBeLessThan(DAY_MS / 2);
      const progress = events.reduce(foldProgress, noProgress);
      expect(measureRunMs(progress, events.at(-1)?.ts ?? 0)).toBeLessThan(DAY_MS / 2);
      expect(progress.waitedMs).toBeLessThan(DAY_MS / 2);
      for (const { ms } of listHandoffRecords(events)) expect(ms).toBeLessThan(DAY_MS / 2);
      expect(await crew.replay("old")).toEqual({ events: events.length });
    },
  );

  it("is nobody's where its process died twice", async () => {
    const store = await diedAfter("model.called");
    const dead = await store.read(toRunId("old"));
    const once = await open(["which?"], store).recover("old").result;
    expect(once).toMatchObject({ status: "paused" });
    const again = (await store.read(toRunId("old"))).slice(0, dead.length + 1);
    const older = again.map((event) => ({ ...event, ts: event.ts - DAY_MS }));
    const second = await keepRuns({ old: older });
    const crew = open(["which?", "that [FIX]", "mended"], second);
    expect(await crew.recover("old").result).toMatchObject({ status: "paused" });
    expect(await crew.resume("old", { input: "left" }).result).toMatchObject({ status: "completed" });
    expect(tookMs(await second.read(toRunId("old")))).toBeLessThan(DAY_MS / 2);
  });

  it("is nobody's where a dead run is cancelled", async () => {
    const store = await diedAfter("model.called");
    expect(await open([], store).cancel("old")).toMatchObject({ status: "cancelled" });
    expect(tookMs(await store.read(toRunId("old")))).toBeLessThan(DAY_MS / 2);
  });
});

it("is no part of how long a tool took that was called again", async () => {
  const events = await eventsOf("team/supervisor-uses-tools");
  const called = events.findIndex(({ type }) => type === "tool.called");
  const [last] = events.slice(called, called + 1);
  if (last === undefined) throw new Error("no tool was called");
  const late = events.slice(called + 1).map((event) => ({ ...event, ts: event.ts + DAY_MS }));
  const goingOn = continuationEvent(last, "recovered", { ...systemClock, now: () => last.ts + DAY_MS });
  const entries = buildTranscript([...events.slice(0, called + 1), goingOn, ...late]);
  const [took] = entries.flatMap((entry) => (entry.type === "tool" ? [entry.end.ms] : []));
  expect(took).toBeLessThan(DAY_MS / 2);
});

describe("a fork", () => {
  it("is as old as the past it keeps, whenever it is made", async () => {
    const events = await olden(3);
    const store = await keepRuns({ old: events });
    const at = events.findIndex(({ type }) => type === "model.completed");
    const crew = open(["that [FIX]", "mended"], store);
    const paused = await crew.fork("old", { at, reply: "which of them?" }).result;
    expect(paused).toMatchObject({ status: "paused", paused: { prompt: "which of them?" } });
    const result = await crew.resume(paused.runId, { input: "left" }).result;
    expect(result).toMatchObject({ status: "completed", output: "mended" });
    const forked = await store.read(paused.runId);
    expect(tookMs(forked)).toBeLessThan(DAY_MS / 2);
    expect(await crew.replay(paused.runId)).toEqual({ events: forked.length });
  });

  it("has spent what its past has, and makes the calls that were under way there without counting them twice", async () => {
    const events = await olden(3);
    const store = await keepRuns({ old: events });
    for (const { seq = 0, type } of events.filter(({ type }) => type.startsWith("model."))) {
      const crew = open(["which?", "that [FIX]", "mended"].slice(replies(events.slice(0, seq + 1))), store);
      const first = await crew.fork("old", { at: seq }).result;
      const isPaused = first.status === "paused";
      const result = isPaused ? await crew.resume(first.runId, { input: "left" }).result : first;
      expect(result, `forked at ${type}`).toMatchObject({ status: "completed", cost: { unknownCalls: 3 } });
      const forked = await store.read(first.runId);
      expect(forked.filter((event) => event.type === "model.failed")).toEqual([]);
      expect(await crew.replay(first.runId)).toEqual({ events: forked.length });
    }
  });

  it("of a run that waits for an answer waits for it, too", async () => {
    const events = await olden(3);
    const store = await keepRuns({ old: events });
    const at = events.findIndex(({ type }) => type === "run.paused");
    const crew = open(["that [FIX]", "mended"], store);
    const paused = await crew.fork("old", { at }).result;
    expect(paused).toMatchObject({ status: "paused" });
    expect(await crew.resume(paused.runId, { input: "left" }).result).toMatchObject({ status: "completed" });
  });
});
