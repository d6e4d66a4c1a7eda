import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineAgent, defineCrew, defineTool } from "../src/index.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";

const mock = new LLMock({ port: 0, logLevel: "silent" });
beforeAll(async () => {
  const usage = { input_tokens: 40, output_tokens: 7 };
  mock.on(
    { systemMessage: "You teach", hasToolResult: false },
    { toolCalls: [{ name: "look", arguments: '{"at":"2+2"}' }], usage },
  );
  mock.on(
    { systemMessage: "You teach", hasToolResult: true },
    { content: "What is 2+2? Kết thúc 🎼 [QUESTION]", reasoning: "They should add.", usage },
  );
  mock.on({ systemMessage: "You learn" }, { content: "4 [DONE]", usage });
  await mock.start();
});
afterAll(() => mock.stop());

const providers = [
  { provider: "openai.chat", path: "/v1" },
  { provider: "openai.responses", path: "/v1" },
  { provider: "openai", path: "/v1" },
  { provider: "anthropic", path: "" },
  { provider: "google", path: "" },
  { provider: "ollama", path: "/v1" },
  { provider: "somebody", path: "/v1" },
];
const table = providers.flatMap((each) => [true, false].map((isStreamed) => ({ ...each, isStreamed })));

describe("a crew on the wire", () => {
  it.each(table)("runs with $provider, streamed: $isStreamed", async ({ provider, path, isStreamed }) => {
    const { events, result } = await runCrew(provider, path, isStreamed);
    expect(result).toMatchObject({
      status: "completed",
      stopReason: "signal",
      output: "4",
      path: ["teacher", "student"],
      handoffs: 1,
    });
    const called = events.filter(({ type }) => type === "tool.completed");
    expect(called.map(({ data }) => data)).toEqual([{ tool: "look", result: "seen 2+2" }]);
    const replies = events.flatMap((event) => (event.type === "model.completed" ? event.data : []));
    expect(replies).toHaveLength(3);
    expect(replies[1]).toMatchObject({ text: "What is 2+2? Kết thúc 🎼 [QUESTION]", finish: "stop" });
    expect(replies.every(({ usage }) => (usage?.input ?? 0) > 0 && (usage?.output ?? 0) > 0)).toBe(true);
    expect(replies[1]?.ms).toBeGreaterThanOrEqual(replies[1]?.msToFirstToken ?? Number.NaN);
    // Google does not say who answers.
    const answering = replies.map(({ model }) => (model.startsWith("google/") ? undefined : model.split("/")[1]));
    expect(replies.map(({ responseModel }) => responseModel)).toEqual(answering);
    const streamed = events.flatMap((event) =>
      event.type === "text.delta" && event.agent === "teacher" ? event.data.text : [],
    );
    expect(streamed.join("")).toBe("What is 2+2? Kết thúc 🎼");
    // Only what runs at home is free; any other server without a price has an unknown cost.
    if (provider === "ollama") expect(result.cost).toEqual({ usd: 0, unknownCalls: 0 });
    if (provider === "somebody") expect(result.cost).toEqual({ usd: null, unknownCalls: 3 });
    if (isStreamed) expect(streamed.length).toBeGreaterThan(1);
  });
});

async function runCrew(provider: string, path: string, isStreamed: boolean) {
  const look = defineTool({
    name: "look",
    description: "looks something up",
    parameters: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
    execute: ({ at }) => `seen ${at}`,
  });
  const prefix = provider.split(".")[0]?.toUpperCase();
  const crew = defineCrew(
    {
      name: "wire",
      models: [`${provider}/some-model`],
      agents: [
        defineAgent({ id: "teacher", prompt: "You teach. Emit [QUESTION].", tools: ["look"] }),
        defineAgent({ id: "student", prompt: "You learn. Emit [DONE]." }),
      ],
      tools: [look],
      routing: {
        signals: {
          teacher: [{ signal: "[QUESTION]", target: "student" }],
          student: [{ signal: "[DONE]", target: "" }],
        },
      },
    },
    {
      env: {
        [`${prefix}_BASE_URL`]: `${mock.url}${path}`,
        [`${prefix}_API_KEY`]: "key",
        BATON_STREAM: isStreamed ? "on" : "off",
      },
    },
  );
  const events: BatonEvent[] = [];
  const result = await crew.run("Go", { onEvent: (event) => void events.push(event) });
  return { events, result };
}
