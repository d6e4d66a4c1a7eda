import { describe, expect, it } from "vitest";
import { type BatonEvent, defineCrew, defineTool, type Model } from "../src/index.ts";

/** Two agents in a row, on a model that is made in code. */
function crewOf(call: Model["call"], ...tools: Parameters<typeof defineCrew>[0]["tools"] & object) {
  return defineCrew(
    {
      name: "pair",
      models: ["m/m"],
      agents: [
        { id: "a", description: "first", prompt: "Work.", tools: tools.map(({ name }) => name), maxRetries: 1 },
        { id: "b", description: "second", prompt: "Work." },
      ],
      tools,
    },
    { models: { custom: new Map([["m/m", { name: "m/m", call }]]), variables: {} } },
  );
}

const reply = (text: string) => ({ text, toolCalls: [], finish: "stop" as const });

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
    expect(() => crewOf(() => reply("x"), look("1"), look("2"))).toThrow("'look' is in 'tools' twice");
    const crew = crewOf(() => reply("x"), look("1"));
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
    ["gives what cannot be written down", () => circle, "it was done, but what it gave cannot be told: Converting"],
    ["gives a number too large", () => 1n, "it was done, but what it gave cannot be told: Do not know"],
  ])("that %s says so", async (_, execute, why) => {
    const failures: string[] = [];
    const onEvent = (event: BatonEvent) => void (event.type === "tool.failed" && failures.push(event.data.message));
    const call: Model["call"] = ({ calls, agent }) =>
      calls === 1 && agent === "a"
        ? { text: "", toolCalls: [{ name: "odd", args: {} }], finish: "tool-calls" }
        : reply("x");
    const crew = crewOf(call, defineTool({ name: "odd", description: "is odd", execute }));
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
    const crew = crewOf(() => {
      const given = args[calls++];
      if (given === undefined) return reply("done");
      return { text: "", toolCalls: [{ name: "double", args: given }], finish: "tool-calls" };
    }, tool);
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

describe("what is no text, or no answer", () => {
  it("is refused in words", async () => {
    const crew = crewOf(() => reply("x"));
    await expect(crew.run(undefined as never)).rejects.toMatchObject({ code: "bad-input" });
    await expect(crew.resume("run_x", undefined as never)).rejects.toMatchObject({ code: "unknown-run" });
  });
});
