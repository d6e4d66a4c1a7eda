import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type ContextManager, context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { AlwaysOffSampler, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type BatonEvent,
  defineAgent,
  defineCrew,
  defineTool,
  type Model,
  ModelError,
  type ModelReply,
} from "../src/index.ts";
import { openMemoryStore } from "../src/journal/memory-store.ts";
import { inOrder, treeOf } from "./span-tree.ts";
import { registerTracer } from "./traced-runs.ts";

type Scripted = Partial<ModelReply> | ModelError;

const usage = { input: 100, output: 20, cacheRead: 60, cacheWrite: 10, reasoning: 5, total: 120 };

/** A model that has a list of replies for every agent. */
function modelOf(replies: Readonly<Record<string, readonly Scripted[]>>): Model {
  const calls = new Map<string, number>();
  return {
    name: "google/gem-1",
    call({ agent }) {
      const call = calls.get(agent) ?? 0;
      calls.set(agent, call + 1);
      const reply = replies[agent]?.[call] ?? { text: "enough" };
      if (reply instanceof ModelError) throw reply;
      return { text: "", toolCalls: [], finish: "stop", ...reply };
    },
  };
}

const saw = defineTool({ name: "saw", description: "saws", execute: () => "sawn" });
const agents = [
  defineAgent({ id: "lead", description: "leads", prompt: "Lead them.", tools: ["saw"], maxRetries: 2 }),
  defineAgent({ id: "anna", description: "helps", prompt: "Help." }),
  defineAgent({ id: "ben", description: "helps too", prompt: "Help.", maxRetries: 0 }),
  defineAgent({ id: "closer", description: "closes", prompt: "Close.", isTerminal: true }),
];
const desk = {
  name: "desk",
  models: ["google/gem-1"],
  tools: [saw],
  agents,
  routing: {
    signals: {
      lead: [
        { signal: "[ALL]", target: "helpers" },
        { signal: "[ASK]", type: "pause" as const },
      ],
    },
    parallelGroups: { helpers: { agents: ["anna", "ben"], waitForAll: true, nextAgent: "closer" } },
  },
};
const lab = {
  name: "lab",
  models: ["google/gem-1"],
  agents: [defineAgent({ id: "meter", description: "measures", prompt: "Measure.", isTerminal: true })],
};

/** Where the caller's own spans are found, across whatever is awaited. */
function createContextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, call, self, ...args) => storage.run(active, () => call.apply(self, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}

describe("with a tracer registered, a run", async () => {
  const tracer = await registerTracer();
  const { sent } = tracer;
  beforeAll(() => void context.setGlobalContextManager(createContextManager()));
  afterAll(() => tracer[Symbol.asyncDispose]());
  const open = (replies: Parameters<typeof modelOf>[0], more: Parameters<typeof defineCrew>[1] = {}) =>
    defineCrew(desk, { ...more, models: { "google/gem-1": modelOf(replies) } }).withSubCrew("lab", lab);

  it("is a tree of workflow, agents, calls and tools, each with what is known of it", async () => {
    const crew = open({
      lead: [
        new ModelError("too many", { status: 429, retryAfterMs: 5 }),
        {
          toolCalls: [{ name: "saw", args: { wood: "oak" } }],
          finish: "tool-calls",
          usage,
          ms: 400,
          msToFirstToken: 120,
        },
        { text: "[ALL]", responseModel: "gem-1-0613" },
      ],
      ben: [new ModelError("broken", { status: 500 })],
      closer: [{ text: "closed" }],
    });
    const { runId } = await crew.run("go");
    const spans = await sent();
    expect(treeOf(spans)).toEqual([
      "invoke_workflow desk",
      "  invoke_agent lead",
      "    chat gem-1 ERROR 429",
      "    chat gem-1",
      "    execute_tool saw",
      "    chat gem-1",
      "  invoke_agent anna",
      "    chat gem-1",
      "  invoke_agent ben ERROR model_failed",
      "    chat gem-1 ERROR 500",
      "  invoke_agent closer",
      "    chat gem-1",
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(spans.map(({ attributes }) => attributes["gen_ai.conversation.id"]))).toEqual(new Set([runId]));
    const [, failed, chat, tool] = inOrder(spans).slice(1);
    expect(failed?.attributes).toMatchObject({ "baton.attempt": 0, "error.type": "429" });
    expect(chat).toMatchObject({
      kind: 3,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "gcp.gemini",
        "gen_ai.request.model": "gem-1",
        "gen_ai.agent.name": "lead",
        "gen_ai.response.finish_reasons": ["tool_call"],
        "gen_ai.response.time_to_first_chunk": 0.12,
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 60,
        "gen_ai.usage.cache_creation.input_tokens": 10,
        "gen_ai.usage.reasoning.output_tokens": 5,
        "baton.tokens_per_second": 50,
        "baton.attempt": 1,
        "baton.wait_ms": 5,
      },
    });
    expect(tool?.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "saw",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": "0/t0/c0",
      "gen_ai.agent.name": "lead",
      "gen_ai.conversation.id": runId,
      "baton.run.id": runId,
    });
    expect(spans.find(({ attributes }) => attributes["gen_ai.response.model"] === "gem-1-0613")).toBeDefined();
    expect(spans.find(({ name }) => name === "invoke_agent lead")?.attributes).toMatchObject({
      "gen_ai.agent.id": "lead",
      "gen_ai.agent.description": "leads",
    });
  });

  it("has the crews that it calls as workflows within it", async () => {
    const toolCalls = [{ name: "crew__delegate", args: { crew: "lab", input: "measure" } }];
    await open({ lead: [{ toolCalls, finish: "tool-calls" }, { text: "[ALL]" }], meter: [{ text: "3 cm" }] }).run("go");
    const spans = await sent();
    expect(treeOf(spans).slice(0, 7)).toEqual([
      "invoke_workflow desk",
      "  invoke_agent lead",
      "    chat gem-1",
      "    execute_tool crew__delegate",
      "      invoke_workflow lab",
      "        invoke_agent meter",
      "          chat gem-1",
    ]);
    expect(spans.find(({ name }) => name === "invoke_agent meter")?.attributes["gen_ai.agent.id"]).toBe("lab/meter");
  });

  it("says nothing of what was said, unless that is asked for", async () => {
    const replies = () => ({
      lead: [
        { toolCalls: [{ name: "saw", args: { wood: "oak" } }], finish: "tool-calls" as const },
        { text: "sawn it is, key sk-proj-4Zq8Xw2Lr9Tn5Vb1Kc7Hd3Mf [ALL]" },
      ],
    });
    const words = /oak|sawn|Lead them|the wood|sk-proj/;
    await open(replies()).run("saw the wood");
    expect(JSON.stringify(await sent())).not.toMatch(words);

    await open(replies(), { captureContent: true }).run("saw the wood");
    const spans = await sent();
    expect(JSON.stringify(spans)).not.toContain("sk-proj");
    const [, agent, , tool, chat] = inOrder(spans);
    expect(json(agent?.attributes["gen_ai.system_instructions"])).toEqual([{ type: "text", content: "Lead them." }]);
    expect(tool?.attributes).toMatchObject({
      "gen_ai.tool.call.arguments": '{"wood":"oak"}',
      "gen_ai.tool.call.result": "sawn",
    });
    expect(json(chat?.attributes["gen_ai.input.messages"])).toEqual([
      { role: "user", parts: [{ type: "text", content: "saw the wood" }] },
      { role: "assistant", parts: [{ type: "tool_call", id: "0/t0/c0", name: "saw", arguments: { wood: "oak" } }] },
      { role: "tool", parts: [{ type: "tool_call_response", id: "0/t0/c0", response: "sawn" }] },
    ]);
    expect(json(chat?.attributes["gen_ai.output.messages"])).toMatchObject([
      { role: "assistant", parts: [{ type: "text" }], finish_reason: "stop" },
    ]);
  });

  it("ends its spans when it is paused, and is linked to them when it goes on", async () => {
    const crew = open({ lead: [{ text: "really? [ASK]" }, { text: "[ALL]" }] });
    const paused = await crew.run("go");
    const before = await sent();
    expect(treeOf(before)).toEqual(["invoke_workflow desk", "  invoke_agent lead", "    chat gem-1"]);
    const [root] = inOrder(before);
    expect(root?.attributes).toMatchObject({ "baton.status": "paused", "baton.pause.reason": "signal" });
    await crew.resume(paused.runId, { input: "yes" }).result;
    const after = await sent();
    expect(treeOf(after).slice(0, 3)).toEqual(["invoke_workflow desk", "  invoke_agent lead", "    chat gem-1"]);
    expect(inOrder(after)[0]?.links).toMatchObject([
      { traceId: root?.traceId, spanId: root?.spanId, attributes: { "baton.link": "former_run" } },
    ]);
    expect(after.filter(({ spanId }) => before.some((span) => span.spanId === spanId))).toEqual([]);
  });

  it("is no part of a trace when it is replayed, and a fork tells only what is new", async () => {
    const store = openMemoryStore();
    const crew = open({ lead: [{ text: "[ALL]" }] }, { store });
    const events: BatonEvent[] = [];
    const { runId } = await crew.run("go", { onEvent: (event) => void events.push(event) });
    const [root] = inOrder(await sent());
    expect(await crew.replay(runId)).toEqual({ events: events.filter(({ seq }) => seq !== undefined).length });
    expect(await sent()).toEqual([]);
    const answered = events.find(({ type }) => type === "parallel.joined");
    await crew.fork(runId, { at: answered?.seq ?? 0 }).result;
    const fork = await sent();
    expect(treeOf(fork)).toEqual(["invoke_workflow desk", "  invoke_agent closer", "    chat gem-1"]);
    expect(inOrder(fork)[0]?.links).toMatchObject([{ spanId: root?.spanId }]);
    await store.close();
  });

  it("names the conversation that it continues", async () => {
    const { runId } = await open({ lead: [{ text: "[ALL]" }] })
      .conversation("thread-7")
      .run("go");
    const [root] = inOrder(await sent());
    expect(root?.attributes).toMatchObject({ "gen_ai.conversation.id": "thread-7", "baton.run.id": runId });
  });

  it("is part of what its caller is doing", async () => {
    const tracer = trace.getTracer("caller");
    await tracer.startActiveSpan("request", async (span) => {
      await open({ lead: [{ text: "[ALL]" }] }).run("go");
      span.end();
    });
    expect(treeOf(await sent()).slice(0, 2)).toEqual(["request", "  invoke_workflow desk"]);
  });

  it("ends its spans however it ends", async () => {
    const abort = new AbortController();
    const onEvent = ({ type }: BatonEvent) => {
      if (type === "tool.completed") abort.abort();
    };
    const toolCalls = [{ name: "saw", args: {} }];
    await open({ lead: [{ toolCalls, finish: "tool-calls" }] }).run("go", { signal: abort.signal, onEvent });
    const cancelled = await sent();
    expect(treeOf(cancelled)).toContain("    execute_tool saw");
    expect(inOrder(cancelled)[0]?.attributes["baton.status"]).toBe("cancelled");

    const failing = () => {
      throw new Error("the reader is gone");
    };
    await expect(open({}).run("go", { onEvent: failing })).rejects.toThrow("the reader is gone");
    const [root] = inOrder(await sent());
    expect(root?.attributes["baton.status"]).toBe("cancelled");
  });
});

describe("with a tracer that samples nothing, a run", () => {
  it("is not traced, and says so nowhere", async () => {
    trace.setGlobalTracerProvider(new TracerProvider({ sampler: new AlwaysOffSampler() }));
    const models = { "google/gem-1": modelOf({ lead: [{ text: "[ALL]" }] }) };
    const events: BatonEvent[] = [];
    await defineCrew(desk, { models }).run("go", { onEvent: (event) => void events.push(event) });
    trace.disable();
    expect(events[0]?.data).toEqual({ crew: "desk", input: "go" });
    expect(events.at(-1)?.type).toBe("run.completed");
  });
});

function json(text: unknown): unknown {
  return JSON.parse(String(text));
}
