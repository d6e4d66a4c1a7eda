import { afterEach, describe, expect, it } from "vitest";
import { defineAgent, defineCrew, defineTool } from "../src/index.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { answer, type HostileServer, openHostileServer, type Play } from "./hostile-server.ts";
import { dialects } from "./wire-dialects.ts";

let server: HostileServer | undefined;
afterEach(async () => server?.close());

const stream =
  (...events: readonly Readonly<Record<string, unknown>>[]): Play =>
  ({ response }) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of events)
      response.write(
        `${event["type"] === undefined ? "" : `event: ${event["type"]}\n`}data: ${JSON.stringify(event)}\n\n`,
      );
    response.end();
  };

const usage = { input_tokens: 100, cache_read_input_tokens: 60, cache_creation_input_tokens: 30, output_tokens: 5 };
const thinking = (text: string) =>
  stream(
    {
      type: "message_start",
      message: { id: "m", type: "message", role: "assistant", model: "m", content: [], usage },
    },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "thinking", thinking: "", signature: "" },
    },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: text } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2lnbmVk" } },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "t", name: "look", input: {} },
    },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: "{}" } },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage },
    { type: "message_stop" },
  );
const thoughtful = stream({
  candidates: [
    {
      content: {
        role: "model",
        parts: [
          { text: "I should look.", thought: true },
          { functionCall: { name: "look", args: {} }, thoughtSignature: "c2lnbmVk" },
        ],
      },
      finishReason: "STOP",
    },
  ],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, thoughtsTokenCount: 2, totalTokenCount: 14 },
});

async function runOn(provider: string, first: Play, reasoning: string | number) {
  const dialect = dialects.find((each) => each.provider === provider);
  if (dialect === undefined) throw new Error(`${provider} is a dialect`);
  server = await openHostileServer(dialect, [first, answer({ text: "Done." })]);
  const crew = defineCrew(
    {
      name: "reasoning",
      models: [`${provider}/some-model`],
      agents: [defineAgent({ id: "a", prompt: "Work.", tools: ["look"], reasoning })],
      tools: [defineTool({ name: "look", description: "looks", execute: () => "seen" })],
    },
    {
      env: { [`${dialect.variable}_BASE_URL`]: server.url, [`${dialect.variable}_API_KEY`]: "key" },
    },
  );
  const events: BatonEvent[] = [];
  const result = await crew.run("Go", { onEvent: (event) => void events.push(event) });
  const reply = events.find((event) => event.type === "model.completed");
  return { result, reply: reply?.data, requests: server.requests, events };
}

describe("reasoning on the wire", () => {
  it("goes back to Anthropic signed, before the calls that it led to", async () => {
    const { result, reply, requests, events } = await runOn("anthropic", thinking("I should look."), 2048);
    expect(result.output).toBe("Done.");
    expect(reply).toMatchObject({
      reasoning: "I should look.",
      usage: { input: 190, output: 5, cacheRead: 60, cacheWrite: 30 },
    });
    expect(events.filter(({ type }) => type === "reasoning.delta")).not.toEqual([]);
    expect(requests[0]).toMatchObject({ thinking: { type: "enabled", budget_tokens: 2048 } });
    expect(requests[1]?.["messages"]).toMatchObject([
      { role: "user" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "I should look.", signature: "c2lnbmVk" },
          { type: "tool_use", name: "look" },
        ],
      },
      { role: "user", content: [{ type: "tool_result", content: "seen" }] },
    ]);
  });

  it("with a secret in it is not sent back, and not kept", async () => {
    const secret = `sk-ant-api03-${"a1B2c3D4".repeat(10)}`;
    const { result, reply, requests } = await runOn("anthropic", thinking(`The key is ${secret}`), "low");
    expect(result.output).toBe("Done.");
    expect(JSON.stringify([reply, requests])).not.toContain(secret);
  });

  it("leaves its marks on Google's calls", async () => {
    const { result, reply, requests } = await runOn("google", thoughtful, 512);
    expect(result.output).toBe("Done.");
    expect(reply).toMatchObject({ reasoning: "I should look.", usage: { reasoning: 2 } });
    expect(requests[0]).toMatchObject({ generationConfig: { thinkingConfig: { thinkingBudget: 512 } } });
    expect(JSON.stringify(requests[1])).toContain('"thoughtSignature":"c2lnbmVk"');
  });
});
