import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV2, LanguageModelV3, LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type AiSdkModel,
  type BatonEvent,
  defineAgent,
  defineCrew,
  defineTool,
  loadCrew,
  type Model,
  type ModelChoice,
  openMemoryStore,
} from "../src/index.ts";
import { writeCrew } from "./write-crew.ts";

const usage = {
  inputTokens: { total: 7, noCache: undefined, cacheRead: 2, cacheWrite: undefined },
  outputTokens: { total: 3, text: undefined, reasoning: 1 },
};

/** A model object as a provider's package or a mock of the AI SDK makes it. */
function sdkModel(say: (prompt: string) => string, modelId = "claude-sonnet-4-5"): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "anthropic.messages",
    modelId,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("only streamed here")),
    doStream: async ({ prompt }) => {
      const parts: LanguageModelV4StreamPart[] = [
        { type: "stream-start", warnings: [] },
        { type: "text-start", id: "1" },
        { type: "text-delta", id: "1", delta: say(JSON.stringify(prompt)) },
        { type: "text-end", id: "1" },
        { type: "finish", finishReason: { unified: "stop", raw: "end_turn" }, usage },
      ];
      return { stream: ReadableStream.from(parts) };
    },
  };
}

const own: Model = { name: "my/own", call: () => ({ text: "by my own", toolCalls: [], finish: "stop" }) };
const agent = (id: string, ...models: ModelChoice[]) => defineAgent({ id, description: id, prompt: "Work.", models });

async function namesCalled(events: AsyncIterable<BatonEvent>): Promise<string[]> {
  const names: string[] = [];
  for await (const event of events) if (event.type === "model.called") names.push(event.data.model);
  return names;
}

describe("a model object in the place of a model's name", () => {
  it("is called, named and priced as its provider and id say", async () => {
    const crew = defineCrew(
      {
        name: "desk",
        agents: [
          agent(
            "a",
            sdkModel(() => "hello"),
          ),
        ],
      },
      { env: {} },
    );
    expect(crew.definition.agents.get("a")?.models).toEqual([{ provider: "anthropic", model: "claude-sonnet-4-5" }]);
    const run = crew.start("go");
    expect(await namesCalled(run.events)).toEqual(["anthropic/claude-sonnet-4-5"]);
    const result = await run.result;
    expect(result).toMatchObject({ output: "hello", usage: { input: 7, output: 3, cacheRead: 2, reasoning: 1 } });
    expect(result.cost.usd).toBeGreaterThan(0);
  });

  it("stands beside names and models of one's own, in one chain", async () => {
    const failing = sdkModel(() => {
      throw new Error("down");
    });
    const agents = [{ ...agent("a"), maxRetries: 4 }];
    const crew = defineCrew({ name: "desk", models: [failing, "openai/gpt-5", own], agents }, { env: {} });
    const run = crew.start("go");
    expect(await namesCalled(run.events)).toEqual([
      ...Array(2).fill("anthropic/claude-sonnet-4-5"),
      "openai/gpt-5",
      "my/own",
    ]);
    expect((await run.result).output).toBe("by my own");
  });

  it("is told from another one of the same name", async () => {
    const agents = [
      agent(
        "a",
        sdkModel(() => "first"),
      ),
      agent(
        "b",
        sdkModel(() => "second"),
      ),
    ];
    const crew = defineCrew({ name: "desk", agents }, { env: {} });
    const { handoffChain, output } = await crew.run("go");
    expect([handoffChain.length, output]).toEqual([1, "second"]);
  });

  it("is registered by a name that a crew's files use", async () => {
    const path = writeCrew({
      "crew.yaml": 'version: "2.0"\nname: desk\nmodels: [acme/large]\nagents: [a]\n',
      "agents/a.md": "Work.\n",
    });
    const crew = await loadCrew(path, { models: { "acme/large": sdkModel(() => "large") }, env: {} });
    const run = crew.start("go");
    expect(await namesCalled(run.events)).toEqual(["acme/large"]);
    expect(await run.result).toMatchObject({ output: "large" });
  });

  it("keeps its place in a sub-crew of code, and in a fork", async () => {
    const main = defineCrew({ name: "main", agents: [agent("a", own)] }, { env: {} });
    const sub = {
      name: "sub",
      agents: [
        agent(
          "a",
          sdkModel(() => "of the sub-crew"),
        ),
      ],
    };
    const crew = main.withSubCrew("lab", sub);
    expect(await crew.run("go")).toMatchObject({ output: "by my own" });
    const alone = defineCrew(sub, { store: openMemoryStore(), env: {} });
    const { runId } = await alone.run("go");
    const forked = await alone.fork(runId, { at: 0, models: [own] }).result;
    expect(forked).toMatchObject({ output: "by my own" });
  });

  it("that gives only whole answers is asked for those", async () => {
    let tried = 0;
    const whole: LanguageModelV4 = {
      ...sdkModel(() => ""),
      doStream: () => {
        tried++;
        return Promise.reject(new Error("Not implemented"));
      },
      doGenerate: async () => ({
        content: [{ type: "text", text: "whole" }],
        finishReason: { unified: "stop", raw: "stop" },
        usage,
        warnings: [],
      }),
    };
    const crew = defineCrew({ name: "desk", agents: [agent("a", whole)] }, { env: {} });
    expect([(await crew.run("go")).output, (await crew.run("go")).output, tried]).toEqual(["whole", "whole", 1]);
  });

  it("of the AI SDK 5 is understood", async () => {
    const { doStream: _, doGenerate: __, ...rest } = sdkModel(() => "");
    const v2: LanguageModelV2 = {
      ...rest,
      specificationVersion: "v2",
      doGenerate: () => Promise.reject(new Error("only streamed here")),
      doStream: async () => ({
        stream: ReadableStream.from([
          { type: "text-delta" as const, id: "1", delta: "from five" },
          {
            type: "finish" as const,
            finishReason: "stop" as const,
            usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
          },
        ]),
      }),
    };
    const crew = defineCrew({ name: "desk", agents: [agent("a", v2)] }, { env: {} });
    expect(await crew.run("go")).toMatchObject({ output: "from five", usage: { input: 5, output: 2, total: 7 } });
    const reasoning = defineCrew({ name: "desk", agents: [{ ...agent("a", v2), reasoning: "high" }] }, { env: {} });
    expect((await reasoning.run("go")).error?.message).toContain(
      "sets 'reasoning', which its model object cannot take",
    );
  });

  it("calls tools", async () => {
    const calling: LanguageModelV4 = {
      ...sdkModel(() => ""),
      doStream: async ({ prompt }) => {
        const isAnswered = prompt.some(({ role }) => role === "tool");
        const parts: LanguageModelV4StreamPart[] = isAnswered
          ? [{ type: "text-delta", id: "1", delta: "It is noon." }]
          : [{ type: "tool-call", toolCallId: "1", toolName: "clock", input: "{}" }];
        const unified = isAnswered ? "stop" : "tool-calls";
        return {
          stream: ReadableStream.from([
            ...parts,
            { type: "finish", finishReason: { unified, raw: unified }, usage } as const,
          ]),
        };
      },
    };
    const clock = defineTool({ name: "clock", description: "tells the time", execute: () => "noon" });
    const crew = defineCrew(
      { name: "desk", agents: [{ ...agent("a", calling), tools: ["clock"] }], tools: { clock } },
      { env: {} },
    );
    expect(await crew.run("go")).toMatchObject({ output: "It is noon." });
  });

  it.each([
    ["a function", () => "hi", "agents[0].models[0] is not a model: it is function"],
    ["another object", {}, "agents[0].models[0] is not a model: give an AI SDK model"],
    ["a model of the AI SDK 4", { doGenerate: () => {}, specificationVersion: "v1" }, "use AI SDK 5 or newer"],
    [
      "a model without a provider",
      { ...own, name: "own" },
      "is called 'own': a model's name must have the form provider/model",
    ],
  ])("is refused where it is none: %s", (_, model, message) => {
    const define = () => defineCrew({ name: "desk", agents: [agent("a", model as never)] });
    expect(define).toThrow(
      expect.objectContaining({ code: "bad-definition", message: expect.stringContaining(message) }),
    );
  });

  it("has a type that every version of the AI SDK fits", () => {
    expectTypeOf<LanguageModelV2>().toExtend<AiSdkModel>();
    expectTypeOf<LanguageModelV3>().toExtend<AiSdkModel>();
    expectTypeOf<LanguageModelV4>().toExtend<AiSdkModel>();
    expectTypeOf(createOpenAI({ apiKey: "none" })("gpt-5")).toExtend<ModelChoice>();
  });
});
