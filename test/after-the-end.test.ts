import { describe, expect, it } from "vitest";
import {
  type BatonEvent,
  type CrewDefinition,
  defineCrew,
  defineTool,
  type Model,
  type ModelReply,
  type Tool,
} from "../src/index.ts";
import { type Clock, systemClock } from "../src/run/clock.ts";

/** A clock whose waits end when the test says so. */
function createHandClock(): { readonly clock: Clock; readonly ring: () => void } {
  const waits = new Set<() => void>();
  const after: Clock["after"] = (_, callback) => {
    waits.add(callback);
    return { callOff: () => void waits.delete(callback) };
  };
  const ring = () => {
    for (const wait of waits) wait();
  };
  return { clock: { ...systemClock, after }, ring };
}

type Answer = string | { readonly tool: string; readonly args?: unknown };

/** A crew whose agents answer what they are told to, call after call; every event it ever gives is kept. */
function crewOf(
  replies: Readonly<Record<string, readonly Answer[]>>,
  more: Partial<CrewDefinition> & { readonly tools?: readonly Tool[] } = {},
  clock = systemClock,
) {
  const events: BatonEvent[] = [];
  const model: Model = {
    name: "fake/one",
    call: ({ agent, calls }) => replyOf(replies[agent]?.[calls - 1] ?? ""),
  };
  const agents = Object.keys(replies).map((id) => ({
    id,
    description: "d",
    tools: more.tools?.map(({ name }) => name) ?? [],
  }));
  const definition = { name: "x", models: ["fake/one"], agents, ...more };
  const crew = defineCrew(definition, { models: { "fake/one": model }, clock });
  return { crew, events, watch: { onEvent: (event: BatonEvent) => void events.push(event) } };
}

function replyOf(answer: Answer): ModelReply {
  if (typeof answer === "string") return { text: answer, toolCalls: [], finish: "stop" };
  return { text: "", toolCalls: [{ name: answer.tool, args: answer.args ?? {} }], finish: "tool-calls" };
}

const group = (keys: object) => ({
  routing: {
    signals: {
      a: [
        { signal: "[GO]", target: "g" },
        { signal: "[DONE]", target: "" },
      ],
    },
    parallelGroups: { g: { agents: ["b", "c"], nextAgent: "a", ...keys } },
  },
});
const pay = () => defineTool({ name: "pay", description: "pays", needsApproval: true, execute: () => "paid" });

describe("a run that is paused", () => {
  it("in a group says nothing more, even when the group's time is up, and can be resumed", async () => {
    const { clock, ring } = createHandClock();
    const { crew, events, watch } = crewOf(
      { a: ["go [GO]", "fine [DONE]"], b: [{ tool: "pay" }, "paid"], c: ["quiet"] },
      { ...group({ waitForAll: true, timeoutSeconds: 0.02 }), tools: [pay()] },
      clock,
    );
    const paused = await crew.run("x", watch);
    ring();
    await new Promise((done) => setImmediate(done));
    expect(events.at(-1)?.type).toBe("run.paused");
    expect(await crew.resume(paused.runId, { decision: "approve" }, watch).result).toMatchObject({
      status: "completed",
    });
    expect(events.filter(({ seq }) => seq !== undefined).map(({ seq }) => seq)).toEqual(
      events.map((_, index) => index),
    );
  });
});

describe("a run that is paused while it is being stopped", () => {
  it("goes on when it is answered, with what was held back too", async () => {
    const { crew, events, watch } = crewOf(
      { a: ["go [GO]", "fine [DONE]"], b: [{ tool: "pay" }, "paid"], c: ["quiet"] },
      { ...group({ waitForAll: true }), tools: [pay()] },
    );
    const stop = new AbortController();
    const onEvent = (event: BatonEvent) => {
      watch.onEvent(event);
      if (event.type === "model.called" && event.agent === "b") stop.abort();
    };
    const paused = await crew.run("x", { onEvent, stop: stop.signal });
    expect(paused).toMatchObject({ status: "paused", paused: { reason: "approval" } });
    expect(events.some(({ type, agent }) => type === "model.called" && agent === "c")).toBe(false);
    expect(await crew.resume(paused.runId, { decision: "approve" }, watch).result).toMatchObject({
      status: "completed",
      path: ["a", "g", "a"],
    });
    expect(events.some(({ type, agent }) => type === "model.completed" && agent === "c")).toBe(true);
  });
});

describe("a run that has ended", () => {
  it("asks nothing any more, though a branch that lost would have", async () => {
    const { crew, events, watch } = crewOf(
      { a: ["go [GO]", "fine [DONE]"], b: [{ tool: "pay" }], c: ["first"] },
      { ...group({}), tools: [pay()] },
    );
    expect(await crew.run("x", watch)).toMatchObject({ status: "completed" });
    await new Promise((done) => setImmediate(done));
    expect(events.at(-1)?.type).toBe("run.completed");
  });
});

describe("a stream that its reader leaves", () => {
  it("stops the run, and tells the other watcher too", async () => {
    const { crew, events, watch } = crewOf({ a: ["1"], b: ["2"], c: ["3"] });
    for await (const event of crew.stream("x", watch)) if (event.type === "agent.completed") break;
    await expect.poll(() => events.at(-1)?.type).toMatch(/^run\.(cancelled|completed)$/);
    expect(events[0]?.type).toBe("run.started");
  });
});

describe("a tool that gives what cannot be said", () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;

  it.each<[string, unknown, string]>([
    ["a circle", circular, "tool.failed"],
    ["a bigint", 1n, "tool.failed"],
    ["a function", () => 1, "tool.failed"],
    ["nothing", undefined, "tool.completed"],
  ])("as %s leaves the run in order", async (_, given, type) => {
    const odd = defineTool({ name: "odd", description: "odd", execute: () => given });
    const { crew, events, watch } = crewOf({ a: [{ tool: "odd" }, "so what"] }, { tools: [odd] });
    expect(await crew.run("x", watch)).toMatchObject({ status: "completed", output: "so what" });
    expect(events.some((event) => event.type === type)).toBe(true);
  });
});
