import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { askingReplies, openServer, tokenLine } from "./open-server.ts";

const open = (server: { readonly url: string }, apiKey = "bt_operator") =>
  new OpenAI({ baseURL: `${server.url}/openai/v1`, apiKey, maxRetries: 0 });

/** What Baton adds to OpenAI's answers. */
interface Added {
  readonly baton?: { readonly runId: string };
}

describe("the responses of the openai package", () => {
  it("makes responses, which others continue, also when they are not the newest", async () => {
    const { server, store } = await openServer();
    const { responses } = open(server);
    const first: OpenAI.Responses.Response & Added = await responses.create({ model: "desk", input: "one" });
    expect(first).toMatchObject({ status: "completed", output_text: "Five.", usage: { total_tokens: 0 } });
    expect(first.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
    const continued = { model: "desk", previous_response_id: first.id };
    const second: OpenAI.Responses.Response & Added = await responses.create({ ...continued, input: "two" });
    const third: OpenAI.Responses.Response & Added = await responses.create({ ...continued, input: "three" });
    for (const { baton } of [second, third]) {
      const [started] = await store.read((baton?.runId ?? "") as never);
      expect(started?.data).toMatchObject({ history: [{ text: "one" }, { text: "Five.", agent: "billing" }] });
    }
    await expect(
      responses.create({ ...continued, previous_response_id: "resp_0_0", input: "x" }),
    ).rejects.toMatchObject({ status: 404 });
  });

  it("streams responses, whose pauses the next one answers", async () => {
    const { server } = await openServer({ replies: askingReplies });
    const { responses } = open(server);
    const stream = responses.stream({ model: "desk", input: "one", instructions: "Be brief." });
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    const asked = await stream.finalResponse();
    expect(asked.output_text).toBe("Which?");
    expect(types[0]).toBe("response.created");
    expect(types.at(-1)).toBe("response.completed");
    expect(types).toContain("response.reasoning_summary_text.delta");
    const done = await responses.create({ model: "desk", previous_response_id: asked.id, input: "the left" });
    expect(done.output_text).toBe("That one.");
    const kept = { model: "desk", conversation: "conv_1" };
    expect((await responses.create({ ...kept, input: "x" })).output_text).toBe("Which?");
    expect((await responses.create({ ...kept, input: "the left" })).output_text).toBe("That one.");
  });

  it("reads responses again: while their run is under way, at a pause, in the end, and where it failed", async () => {
    const replies = {
      triage: ["Money. [BILLING]"],
      billing: ["Which? [ASK]", { text: "That one. [DONE]", latency_ms: 60 }],
    };
    const tokens = tokenLine("chat", "scopes: [run, read]");
    const { server } = await openServer({ replies, tokens });
    const { responses } = open(server);
    const asked = await responses.create({ model: "desk", input: "one", conversation: "c1" });
    expect(await responses.retrieve(asked.id)).toEqual({ ...asked, created_at: expect.any(Number) });
    const stream = await responses.create({
      model: "desk",
      previous_response_id: asked.id,
      input: "left",
      stream: true,
    });
    let id = "";
    for await (const event of stream) {
      if (event.type !== "response.created") continue;
      ({ id } = event.response);
      expect(await responses.retrieve(id)).toMatchObject({ status: "in_progress", output: [] });
    }
    expect(await responses.retrieve(id)).toMatchObject({ status: "completed", output_text: "That one." });
    expect((await responses.retrieve(asked.id)).output_text).toBe("Which?");
    await expect(open(server, "chat").responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    const { server: failing } = await openServer({ replies: { triage: [{ error: { status: 400, message: "no" } }] } });
    const lost = await open(failing).responses.create({ model: "desk", input: "x", stream: true });
    for await (const event of lost) if (event.type === "response.created") ({ id } = event.response);
    expect(await open(failing).responses.retrieve(id)).toMatchObject({ status: "failed", output: [] });
  });

  it("continues a thread that a client refers to by the ids of its items, as the AI SDK does", async () => {
    const { server } = await openServer({ replies: askingReplies });
    const provider = createOpenAI({ baseURL: `${server.url}/openai/v1`, apiKey: "bt_operator" });
    const first = [{ role: "user" as const, content: "one" }];
    const asked = await generateText({ model: provider("desk"), messages: first });
    expect([asked.text, asked.reasoningText]).toEqual(["Which?", "triage: Money."]);
    const messages = [...first, ...asked.responseMessages, { role: "user" as const, content: "the left" }];
    expect((await generateText({ model: provider("desk"), messages })).text).toBe("That one.");
    const input = [
      { type: "item_reference" as const, id: "msg_none_0_0" },
      { role: "user" as const, content: "x" },
    ];
    await expect(open(server).responses.create({ model: "desk", input })).rejects.toMatchObject({ status: 404 });
  });

  it("keeps a thread under the id of a conversation that the client asks for first", async () => {
    const { server } = await openServer({ replies: askingReplies });
    const client = open(server);
    const { id } = await client.conversations.create();
    const say = async (input: string) =>
      (await client.responses.create({ model: "desk", input, conversation: id })).output_text;
    expect([await say("one"), await say("the left")]).toEqual(["Which?", "That one."]);
    const item = { type: "message" as const, role: "user" as const, content: "x" };
    await expect(client.conversations.create({ items: [item] })).rejects.toMatchObject({ status: 400, param: "items" });
  });
});
