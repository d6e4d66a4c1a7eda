import { createOpenAI } from "@ai-sdk/openai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type CrewDefinition, defineCrew } from "../src/index.ts";

/** What OpenAI is sent for an agent with this output. It refuses everything here, so that nothing is sent twice. */
async function sent(output: CrewDefinition["agents"][number]["output"], api: "chat" | "responses", prompt = "Read.") {
  const bodies: Record<string, unknown>[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return new Response('{"error":{"message":"no"}}', { status: 401 });
  };
  const openai = createOpenAI({ apiKey: "x", fetch });
  const model = api === "chat" ? openai.chat("gpt-5") : openai.responses("gpt-5");
  const crew: CrewDefinition = { name: "books", models: [model], agents: [{ id: "reader", prompt, output }] };
  expect(await defineCrew(crew).run("an invoice")).toMatchObject({ status: "failed" });
  expect(bodies).toHaveLength(1);
  return bodies[0] ?? {};
}

describe("the structured output of OpenAI", () => {
  it("is strict for a schema that strict mode takes, with every object closed", async () => {
    const output = z.object({ total: z.number(), lines: z.array(z.object({ sku: z.string() })) });
    const closed = { additionalProperties: false, properties: { lines: { items: { additionalProperties: false } } } };
    expect(await sent(output, "responses")).toMatchObject({
      store: false,
      text: { format: { type: "json_schema", strict: true, schema: closed } },
    });
    expect(await sent(output, "chat")).toMatchObject({
      response_format: { type: "json_schema", json_schema: { strict: true, schema: closed } },
    });
  });

  it("is not strict for other schemas, which it would refuse", async () => {
    const output = z.object({ total: z.number(), note: z.string().optional() });
    expect(await sent(output, "responses")).toMatchObject({
      store: false,
      text: { format: { type: "json_schema", strict: false, schema: { required: ["total"] } } },
    });
    expect(await sent(output, "chat")).toMatchObject({ response_format: { json_schema: { strict: false } } });
  });

  it("is asked for in a prompt that says the word, which it wants where there is no schema", async () => {
    const { messages } = await sent("json", "chat");
    expect(messages).toMatchObject([{ content: "Read.\n\nAnswer in JSON." }, { content: "an invoice" }]);
    expect(await sent("json", "chat", "Write json.")).toMatchObject({ messages: [{ content: "Write json." }, {}] });
    expect(await sent("text", "chat")).toMatchObject({ messages: [{ content: "Read." }, {}] });
  });
});
