import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { convertGenAISpanAttributesToOpenInferenceSpanAttributes } from "@arizeai/openinference-genai";
import type { Attributes } from "@opentelemetry/api";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { afterAll, beforeAll, expect, it } from "vitest";
import { defineAgent, defineCrew, defineTool } from "../src/index.ts";
import type { ReceivedSpan } from "./otlp-receiver.ts";
import { registerTracer } from "./traced-runs.ts";

const secret = "sk-proj-4Zq8Xw2Lr9Tn5Vb1Kc7Hd3Mf";
const usage = {
  prompt_tokens: 120,
  completion_tokens: 30,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 100 },
};
const replies = [
  {
    finish_reason: "tool_calls",
    message: {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "x1", type: "function", function: { name: "look", arguments: '{"at":"oak"}' } }],
    },
  },
  { finish_reason: "stop", message: { role: "assistant", content: "An oak. [NEXT_ONE]" } },
  { finish_reason: "stop", message: { role: "assistant", content: "Closed." } },
];

/** A server that speaks OpenAI's chat format, and what it was asked. */
const asked: { readonly messages: readonly { readonly role: string; readonly content: unknown }[] }[] = [];
const server = createServer(async (request, response) => {
  asked.push((await json(request)) as (typeof asked)[number]);
  const choice = { index: 0, ...replies[asked.length - 1] };
  const reply = { id: "r", object: "chat.completion", created: 1, model: "m1-0613", choices: [choice], usage };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply));
});

let spans: readonly ReceivedSpan[] = [];
let port = 0;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has such an address.
  ({ port } = server.address() as AddressInfo);
  await using tracer = await registerTracer();
  const look = defineTool({
    name: "look",
    description: `looks, with ${secret}`,
    parameters: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
    execute: () => "it is big",
  });
  const costLimits = { inputTokenPricePerMillion: 1, outputTokenPricePerMillion: 2 };
  const crew = defineCrew(
    {
      name: "desk",
      models: ["acme/m1"],
      tools: [look],
      agents: [
        defineAgent({
          id: "lead",
          description: "leads",
          prompt: `Lead them with ${secret}.`,
          tools: ["look"],
          temperature: 0,
          topP: 0.5,
          maxOutputTokens: 200,
          costLimits,
        }),
        defineAgent({ id: "closer", description: "closes", prompt: "Close.", isTerminal: true }),
      ],
      routing: { signals: { lead: [{ signal: "[NEXT_ONE]", target: "closer" }] } },
    },
    {
      captureContent: true,
      env: { ACME_BASE_URL: `http://127.0.0.1:${port}/v1`, BATON_STREAM: "off" },
    },
  );
  expect(await crew.run("look at the oak")).toMatchObject({ status: "completed", output: "Closed." });
  spans = (await tracer.sent()).toSorted((a, b) => a.startMs - b.startMs);
});
afterAll(() => void server.close());

const spansOf = (name: string) => spans.filter((span) => span.name.startsWith(name));

/** What Phoenix makes of a span. */
function converted(span: ReceivedSpan | undefined): Attributes {
  return convertGenAISpanAttributesToOpenInferenceSpanAttributes((span?.attributes ?? {}) as Attributes) ?? {};
}

it("each span is of the kind that Phoenix has for it", () => {
  const kinds = (name: string) => spansOf(name).map((span) => converted(span)["openinference.span.kind"]);
  expect(kinds("invoke_workflow")).toEqual(["CHAIN"]);
  expect(kinds("invoke_agent")).toEqual(["AGENT", "AGENT"]);
  expect(kinds("chat")).toEqual(["LLM", "LLM", "LLM"]);
  expect(kinds("execute_tool")).toEqual(["TOOL"]);
});

it("a call has its model, provider, tokens, settings, tools and messages", () => {
  const [, second] = spansOf("chat");
  const call = converted(second);
  expect(call).toMatchObject({
    "llm.model_name": "m1-0613",
    "llm.provider": "acme",
    "llm.finish_reason": "stop",
    "llm.token_count.prompt": 120,
    "llm.token_count.completion": 30,
    "llm.token_count.total": 150,
    "llm.token_count.prompt_details.cache_read": 100,
    "agent.name": "lead",
    "llm.input_messages.0.message.role": "system",
    "llm.input_messages.1.message.role": "user",
    "llm.input_messages.1.message.contents.0.message_content.text": "look at the oak",
    "llm.input_messages.2.message.role": "assistant",
    "llm.input_messages.2.message.tool_calls.0.tool_call.function.name": "look",
    "llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments": '{"at":"oak"}',
    "llm.input_messages.3.message.role": "tool",
    "llm.input_messages.3.message.content": "it is big",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.contents.0.message_content.text": "An oak. [NEXT_ONE]",
  });
  expect(JSON.parse(String(call["llm.invocation_parameters"]))).toEqual({
    model: "m1",
    temperature: 0,
    top_p: 0.5,
    max_completion_tokens: 200,
  });
  expect(JSON.parse(String(call["llm.tools.0.tool.json_schema"]))).toMatchObject({
    type: "function",
    function: { name: "look", parameters: { type: "object", required: ["at"] } },
  });
  const [tool] = spansOf("execute_tool").map(converted);
  expect(tool).toMatchObject({
    "tool.name": "look",
    "tool.parameters": '{"at":"oak"}',
    "output.value": "it is big",
    "tool_call.id": call["llm.input_messages.2.message.tool_calls.0.tool_call.id"],
  });
});

it("the messages of a call are those that the provider was sent", () => {
  for (const [index, chat] of spansOf("chat").entries()) {
    const attributes = converted(chat);
    const [system, ...messages] = asked[index]?.messages ?? [];
    const roles = messages.map((_, at) => attributes[`llm.input_messages.${at + 1}.message.role`]);
    expect(roles).toEqual(messages.map(({ role }) => role));
    expect(system?.role).toBe("system");
    expect(attributes).not.toHaveProperty(`llm.input_messages.${messages.length + 1}.message.role`);
  }
  // An agent on the crew's line sees what was said before it.
  const last = JSON.stringify(converted(spansOf("chat")[2]));
  expect(last).toContain("[lead] look gave: it is big");
  expect(last).toContain("look at the oak");
});

it("secrets of prompts and tools are taken out", () => {
  expect(asked[0]?.messages[0]?.content).toContain(secret);
  expect(JSON.stringify(spans)).toContain("Lead them with");
  expect(JSON.stringify(spans)).not.toContain(secret);
});

it("a call says where its server is and what it cost; nothing where the price is unknown", () => {
  const [first, , last] = spansOf("chat").map(({ attributes }) => attributes);
  const cost = (120 * 1 + 30 * 2) / 1e6;
  expect(first).toMatchObject({
    "server.address": "127.0.0.1",
    "server.port": port,
    "baton.cost_usd": cost,
    "gen_ai.usage.cost": cost,
  });
  expect(last).not.toHaveProperty("gen_ai.usage.cost");
  expect(last).not.toHaveProperty("baton.cost_usd");
  expect(last).not.toHaveProperty("gen_ai.request.temperature");
});

it("all names are those of the semantic conventions, or our own", () => {
  const known = new Set<unknown>(Object.values(conventions));
  const used = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)));
  const unknown = [...used].filter((name) => !name.startsWith("baton.") && !known.has(name));
  expect(unknown).toEqual(["gen_ai.usage.cost"]);
});
