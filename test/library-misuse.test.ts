import { describe, expect, it } from "vitest";
import { type BatonEvent, defineTool, type Model, openMemoryStore, type ResumeAnswer } from "../src/index.ts";
import { crewOf, reply } from "./pair-crew.ts";

describe("a run that is aborted before it begins", () => {
  it("is cancelled, and calls no model", async () => {
    let calls = 0;
    const crew = crewOf(() => {
      calls++;
      return reply("x");
    });
    const aborted = AbortSignal.abort();
    expect(await crew.run("go", { signal: aborted })).toMatchObject({ status: "cancelled", path: [] });
    const types: string[] = [];
    for await (const { type } of crew.stream("go", { signal: aborted })) types.push(type);
    expect(types.at(-1)).toBe("run.cancelled");
    expect(calls).toBe(0);
  });

  it("ends at the next call where a watcher aborts it", async () => {
    const abort = new AbortController();
    const onEvent = ({ type }: BatonEvent) => void (type === "agent.completed" && abort.abort());
    const crew = crewOf(() => reply("x"));
    expect(await crew.run("go", { signal: abort.signal, onEvent })).toMatchObject({ status: "cancelled", path: ["a"] });
  });
});

describe("tools of one name", () => {
  const look = (result: string) => defineTool({ name: "look", description: "looks", execute: () => result });

  it("are refused, since one of them would never be called", () => {
    expect(() => crewOf(() => reply("x"), { tools: [look("1"), look("2")] })).toThrow("'look' is in 'tools' twice");
    const crew = crewOf(() => reply("x"), { tools: [look("1")] });
    const below = (tool: ReturnType<typeof look>) => ({
      name: "below",
      models: ["m/m"],
      agents: [{ id: "c", prompt: "Work.", tools: ["look"] }],
      tools: [tool],
    });
    expect(() => crew.withSubCrew("below", below(look("2")))).toThrow("two tools are called 'look'");
  });
});

describe("a tool", () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  it.each([
    ["throws what is no error", () => Promise.reject({ code: 3 }), '{"code":3}'],
    ["throws nothing", () => Promise.reject(undefined), "it failed and did not say why"],
    ["throws an error without a message", () => Promise.reject(new Error("")), "it failed and did not say why"],
    [
      "gives what cannot be written down",
      () => circle,
      "it was done, but result.self refers to an object that contains it, which is not JSON",
    ],
    ["throws what cannot be written down", () => Promise.reject(circle), "cannot be put into words"],
    ["gives a Map", () => ({ found: new Map() }), "it was done, but result.found is a Map, which is not JSON"],
    ["gives no number", () => [1, Number.NaN], "it was done, but result[1] is NaN, which is not JSON"],
    ["gives an invalid date", () => new Date(Number.NaN), "it was done, but result is an invalid Date"],
    ["gives a promise within its result", () => ({ later: Promise.resolve(1) }), "result.later is a Promise"],
    ["gives an error", () => new Error("no"), "it was done, but result is an Error"],
    ["gives a function", () => () => 1, "it was done, but result is a function"],
    ["gives a number too large", () => 1n, "it was done, but result is a BigInt, which is not JSON"],
  ])("that %s says so", async (_, execute, why) => {
    const failures: string[] = [];
    const onEvent = (event: BatonEvent) => void (event.type === "tool.failed" && failures.push(event.data.message));
    const call: Model["call"] = ({ calls, agent }) =>
      calls === 1 && agent === "a"
        ? { text: "", toolCalls: [{ name: "odd", args: {} }], finish: "tool-calls" }
        : reply("x");
    const crew = crewOf(call, { tools: [defineTool({ name: "odd", description: "is odd", execute })] });
    expect((await crew.run("go", { onEvent })).status).toBe("completed");
    expect(failures).toEqual([expect.stringContaining(why)]);
  });
});

describe("a watcher that fails", () => {
  it("ends the run and gets back what it threw", async () => {
    const seen: string[] = [];
    const onEvent = ({ type }: BatonEvent) => {
      seen.push(type);
      if (type === "model.completed") throw new Error("no more");
    };
    await expect(crewOf(async () => reply("x")).run("go", { onEvent })).rejects.toThrow("no more");
    expect(seen.at(-1)).toBe("model.completed");
  });

  it("may fail later, too", async () => {
    const onEvent = async ({ type }: BatonEvent) => {
      if (type === "run.started") throw new Error("no more");
    };
    await expect(crewOf(async () => reply("x")).run("go", { onEvent })).rejects.toThrow("no more");
  });
});

describe("a tool with a JSON Schema", () => {
  it("is not called with arguments that do not fit it", async () => {
    const taken: unknown[] = [];
    const tool = defineTool({
      name: "double",
      description: "doubles",
      parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      execute: (args) => taken.push(args),
    });
    const args = [{ n: "q" }, {}, null, { n: 2 }];
    let calls = 0;
    const crew = crewOf(
      () => {
        const given = args[calls++];
        if (given === undefined) return reply("done");
        return { text: "", toolCalls: [{ name: "double", args: given }], finish: "tool-calls" };
      },
      { tools: [tool] },
    );
    const messages: string[] = [];
    await crew.run("go", { onEvent: (event) => event.type === "tool.failed" && messages.push(event.data.message) });
    expect(taken).toEqual([{ n: 2 }]);
    expect(messages).toHaveLength(3);
    expect(messages[0]).toContain("does not fit the schema");
  });
});

describe("a model made in code", () => {
  it.each([
    [new Error("ECONNRESET")],
    [Object.assign(new Error("busy"), { status: 429 })],
    [new TypeError("fetch failed")],
  ])("is tried again after %s", async (error) => {
    let calls = 0;
    const crew = crewOf(() => {
      if (calls++ === 0) throw Object.assign(error, { retryAfterMs: 0 });
      return reply("x");
    });
    expect(await crew.run("go")).toMatchObject({ status: "completed" });
  });

  it("is tried again after the time that its server asks for", async () => {
    const refused = { statusCode: 429, responseHeaders: { "retry-after-ms": "1" } };
    const asked: unknown[] = [];
    let calls = 0;
    const crew = crewOf(() => {
      if (calls++ === 0) throw Object.assign(new Error("busy"), refused);
      return reply("x");
    });
    const onEvent = (event: BatonEvent) => event.type === "model.failed" && asked.push(event.data.retryAfterMs);
    expect(await crew.run("go", { onEvent })).toMatchObject({ status: "completed" });
    expect(asked).toEqual([1]);
  });

  it("is not tried again where that cannot help", async () => {
    let calls = 0;
    const crew = crewOf(() => {
      calls++;
      throw Object.assign(new Error("who are you?"), { status: 401 });
    });
    const { error } = await crew.run("go");
    expect(error).toMatchObject({ code: "model_failed", message: expect.stringContaining("who are you?") });
    expect(calls).toBe(1);
  });

  it.each([[undefined], [null], [{ text: "x" }], [{ text: 5, toolCalls: [], finish: "stop" }]])(
    "fails the run where it gives %j for a reply",
    async (given) => {
      const { error } = await crewOf(() => given as never).run("go");
      expect(error).toMatchObject({ code: "model_failed", message: expect.stringContaining("gave no reply") });
    },
  );
});

describe("a model whose reply cannot be used", () => {
  const whole = { text: "x", toolCalls: [], finish: "stop" };
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 2 };
  const calls = (args: unknown) => ({ text: "", toolCalls: [{ name: "look", args }], finish: "tool-calls" });
  it.each([
    [
      "an end that nobody knows",
      { ...whole, finish: "later" },
      "'finish' must be stop, tool-calls, length, content-filter",
    ],
    ["a call without a name", { ...whole, toolCalls: [{ args: {} }] }, "'toolCalls[0]' must have a name and args"],
    ["no call", { ...whole, toolCalls: [null] }, "'toolCalls[0]' must have a name and args"],
    ["arguments that are no JSON", calls({ n: [1n] }), "toolCalls[0].args.n[0] is a BigInt, which is not JSON"],
    ["thoughts that are no text", { ...whole, reasoning: 5 }, "'reasoning' must be text"],
    ["a model's name that is no text", { ...whole, responseModel: 5 }, "'responseModel' must be text"],
    ["half an account", { ...whole, usage: { input: 5 } }, "'usage.output' must be a number of 0 or more"],
    ["a negative account", { ...whole, usage: { ...usage, input: -1 } }, "'usage.input' must be a number of 0 or more"],
    ["an account of nothing", { ...whole, usage: null }, "'usage' must have input, output"],
    ["a time in words", { ...whole, ms: "long" }, "'ms' must be a number of 0 or more"],
    [
      "provider metadata of another form",
      { ...whole, providerMetadata: 5 },
      "'providerMetadata' must have model, reasoning and calls",
    ],
  ])("fails the run and says why: %s", async (_, given, why) => {
    const store = openMemoryStore();
    for (const kept of [{}, { store }]) {
      const { status, error } = await crewOf(() => given as never, kept).run("go");
      expect(status).toBe("failed");
      expect(error).toMatchObject({ code: "model_failed", message: expect.stringContaining(why) });
    }
    await store.close();
  });

  it("fails the run where it streams what is no text, and where it throws what cannot be written down", async () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const streaming: Model["call"] = ({ onText }) => {
      onText(5 as never);
      return reply("x");
    };
    expect((await crewOf(streaming).run("go")).error?.message).toContain("called onText or onReasoning with number");
    const throwing: Model["call"] = () => {
      throw circle;
    };
    expect((await crewOf(throwing, { maxRetries: 0 }).run("go")).error?.message).toContain("cannot be put into words");
  });
});

describe("a handler that answers what is no JSON", () => {
  it.each([
    ["a number too large", 1n, "its answer is a BigInt"],
    ["a Map", { found: new Map() }, "its answer.found is a Map"],
    ["a function", () => 1, "its answer is a function"],
  ])("is no answer, and the run waits for one: %s", async (_, answer, why) => {
    const failures: string[] = [];
    const onEvent = (event: BatonEvent) =>
      void (event.type === "external.delivered" && failures.push(...event.data.failures));
    const crew = crewOf(() => reply("now [ASK]"), {
      signals: { a: [{ signal: "[ASK]", type: "external", pause: true }] },
    });
    const paused = await crew.run("go", { onExternal: () => ({ answer }), onEvent });
    expect(paused).toMatchObject({ status: "paused", paused: { reason: "external" } });
    expect(failures).toEqual([expect.stringContaining(why)]);
    await expect(crew.resume(paused.runId, { external: answer }).result).rejects.toMatchObject({ code: "bad-answer" });
  });
});

describe("what is no text, or no answer", () => {
  it("is refused in words", async () => {
    const crew = crewOf(() => reply("x"));
    await expect(crew.run(undefined as never)).rejects.toMatchObject({ code: "bad-input" });
    await expect(crew.resume("run_x", undefined as never).result).rejects.toMatchObject({ code: "unknown-run" });
  });

  it.each<[boolean, ResumeAnswer, string]>([
    [false, { input: "yes", decision: "approve" }, "'decision' is not used here; an answer to this pause has 'input'"],
    [true, { input: "yes", external: 1 }, "give 'external' or 'input', not both"],
    [true, { external: 1, quota: {} }, "'quota' is not used here; an answer to this pause has 'external' or 'input'"],
  ])("is refused where nobody would read a part of it (external: %j): %j", async (pause, answer, problem) => {
    const type = pause ? "external" : "pause";
    const crew = crewOf(() => reply("now [ASK]"), { signals: { a: [{ signal: "[ASK]", type, pause }] } });
    const { runId } = await crew.run("go");
    await expect(crew.resume(runId, answer).result).rejects.toThrow(problem);
  });
});
