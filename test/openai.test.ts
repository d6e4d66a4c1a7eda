import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, streamText } from "ai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { loadCrew, script } from "../src/index.ts";
import { askingReplies, json, openServer, tokenLine } from "./open-server.ts";
import { writeCrew } from "./write-crew.ts";

/** An agent whose words are certain to be the answer. */
const helperFiles = {
  "baton.yaml": "",
  "crew.yaml": `version: "2.0"\nname: helper\nagents: [helper]\n`,
  "agents/helper.md": "---\nid: helper\nmodels: [openai/x]\n---\nHelp.",
};

const open = (server: { readonly url: string }, apiKey = "bt_operator") =>
  new OpenAI({ baseURL: `${server.url}/openai/v1`, apiKey, maxRetries: 0 });

/** What Baton adds to OpenAI's answers. */
interface Added {
  readonly baton?: { readonly runId: string; readonly path: readonly string[]; readonly paused?: object };
}

const user = (content: string) => ({ role: "user" as const, content });
const assistant = (content: string) => ({ role: "assistant" as const, content });

async function collectChat(stream: AsyncIterable<OpenAI.ChatCompletionChunk>) {
  const told = { content: "", thinking: "", chunks: 0, last: {} as OpenAI.ChatCompletionChunk & Added };
  for await (const chunk of stream) {
    const delta: { content?: string | null; reasoning_content?: string } = chunk.choices[0]?.delta ?? {};
    told.content += delta.content ?? "";
    told.thinking += delta.reasoning_content ?? "";
    told.chunks++;
    told.last = chunk;
  }
  return told;
}

describe("the openai package", () => {
  it("lists crews as models", async () => {
    const { server } = await openServer();
    const models = await open(server).models.list();
    expect(models.data).toMatchObject([{ id: "desk", object: "model" }]);
    expect(await open(server).models.retrieve("desk")).toEqual(models.data[0]);
    await expect(open(server).models.retrieve("none")).rejects.toMatchObject({ status: 404, code: "model_not_found" });
  });

  it("is told in OpenAI's form what there is not", async () => {
    const { server } = await openServer();
    await expect(open(server).embeddings.create({ model: "desk", input: "x" })).rejects.toMatchObject({
      status: 404,
      type: "invalid_request_error",
      code: "unknown-route",
    });
    await expect(open(server).delete("/models")).rejects.toMatchObject({ status: 405, code: "wrong-method" });
  });

  it("completes a chat: the output is content, what others said is reasoning, and usage is the run's", async () => {
    const { server, store } = await openServer();
    const completion: OpenAI.ChatCompletion & Added = await open(server).chat.completions.create({
      model: "desk",
      messages: [{ role: "system", content: "Be brief." }, user("Hello"), assistant("Hi."), user("What was it?")],
    });
    expect(completion).toMatchObject({
      object: "chat.completion",
      choices: [
        {
          message: { role: "assistant", content: "Five.", reasoning_content: "triage: Money." },
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
      baton: { path: ["triage", "billing"], cost: { usd: null, unknownCalls: 2 } },
    });
    const [started] = await store.read((await store.list())[0]?.runId ?? ("" as never));
    expect(started?.data).toMatchObject({
      input: "<instructions>\nBe brief.\n</instructions>\n\nWhat was it?",
      history: [{ text: "Hello" }, { text: "Hi." }],
    });
  });

  it("streams a chat, with usage and the run in the last chunk", async () => {
    const { server } = await openServer();
    const stream = await open(server).chat.completions.create({
      model: "desk",
      messages: [user("x")],
      stream: true,
      stream_options: { include_usage: true },
    });
    const { content, thinking, last } = await collectChat(stream);
    expect([content, thinking]).toEqual(["Five.", "triage: Money."]);
    expect(last).toMatchObject({ choices: [], usage: { total_tokens: 0 }, baton: { runId: expect.any(String) } });
  });

  it("streams words as content at once where they are certain to be the answer", async () => {
    const slow = script({ helper: [{ text: "One two three four five.", latencyMs: 0 }] });
    const { server } = await openServer({ files: helperFiles, script: slow });
    const messages = [user("x")];
    const told = await collectChat(
      await open(server).chat.completions.create({ model: "helper", messages, stream: true }),
    );
    expect(told).toMatchObject({ content: "One two three four five.", thinking: "" });
    expect(told.last).toMatchObject({ choices: [{ finish_reason: "stop" }], usage: {}, baton: { path: ["helper"] } });
  });

  it("tells a failed run as an error, in a stream too, that clients do not try again", async () => {
    const failing = script({ helper: [{ error: { status: 400, message: "no" } }] });
    const { server } = await openServer({ files: helperFiles, script: failing });
    const client = open(server);
    const messages = [user("x")];
    const stream = await client.chat.completions.create({ model: "helper", messages, stream: true });
    await expect(collectChat(stream)).rejects.toThrow(/./);
    await expect(client.chat.completions.create({ model: "helper", messages })).rejects.toMatchObject({
      status: 422,
      code: "run-failed",
      type: "server_error",
    });
  });

  it("answers a pause by conversation, by run id, and by a history whose last message is the prompt", async () => {
    const { server, store } = await openServer({ replies: askingReplies });
    const { completions } = open(server).chat;
    const ask = async (messages: OpenAI.ChatCompletionMessageParam[], metadata?: Record<string, string>) => {
      const answer: OpenAI.ChatCompletion & Added = await completions.create({
        model: "desk",
        messages,
        ...(metadata !== undefined && { metadata }),
      });
      return { content: answer.choices[0]?.message.content, finish: answer.choices[0]?.finish_reason, ...answer.baton };
    };
    const asked = { content: "Which?", finish: "stop", paused: { agent: "billing" } };
    const done = { content: "That one.", finish: "stop" };
    expect(await ask([user("a")], { conversation: "any client's id" })).toMatchObject(asked);
    expect(await ask([user("the left")], { conversation: "any client's id" })).toMatchObject(done);
    const second = await ask([user("b")]);
    expect(second).toMatchObject(asked);
    expect(await ask([user("the left")], { run_id: second.runId ?? "" })).toMatchObject(done);
    const third = await ask([user("c")]);
    const other = await ask([user("something else"), assistant("Which?"), user("the left")]);
    expect(other).toMatchObject(asked);
    const answered = await ask([user("c"), assistant("Which?"), user("the left")]);
    expect(answered).toMatchObject({ ...done, runId: third.runId });
    expect(await store.list({ status: "completed" })).toHaveLength(3);
  });

  it("names what cannot act, and refuses what it cannot do in OpenAI's form", async () => {
    const { server } = await openServer();
    const client = open(server);
    const given = { model: "desk", messages: [user("x")] };
    const { response } = await client.chat.completions.create({ ...given, temperature: 0, top_p: 1 }).withResponse();
    expect(response.headers.get("baton-ignored")).toBe("temperature, top_p");
    const tools = [{ type: "function" as const, function: { name: "f", parameters: {} } }];
    await expect(client.chat.completions.create({ ...given, tools })).rejects.toMatchObject({
      status: 400,
      param: "tools",
      type: "invalid_request_error",
    });
    await expect(client.chat.completions.create({ ...given, n: 2 })).rejects.toMatchObject({ status: 400, param: "n" });
    const image = [{ type: "image_url" as const, image_url: { url: "data:image/png,AA" } }];
    await expect(
      client.chat.completions.create({ ...given, messages: [{ role: "user", content: image }] }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining("image_url") });
    await expect(client.chat.completions.create({ ...given, model: "lab" })).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
    await expect(open(server, "wrong").models.list()).rejects.toMatchObject({ status: 401, code: "invalid_api_key" });
  });

  it("cancels the run of a request that is dropped, unless it has a conversation", async () => {
    const never = script({ triage: [{ text: "late", latencyMs: 60_000 }] });
    const { server, store } = await openServer({ script: never });
    const begin = async (metadata?: Record<string, string>) => {
      const leaving = new AbortController();
      const body = { model: "desk", messages: [user("x")], stream: true as const, ...(metadata && { metadata }) };
      const stream = await open(server).chat.completions.create(body, { signal: leaving.signal });
      void stream;
      leaving.abort();
    };
    await begin({ conversation: "t1" });
    await begin();
    await expect.poll(async () => (await store.list({ status: "cancelled" })).length).toBe(1);
    const waiting = new AbortController();
    const whole = open(server).chat.completions.create(
      { model: "desk", messages: [user("y")] },
      { signal: waiting.signal },
    );
    await expect.poll(async () => (await store.list()).length).toBe(3);
    waiting.abort();
    await expect(whole).rejects.toThrow();
    await expect.poll(async () => (await store.list({ status: "cancelled" })).length).toBe(2);
    expect(await store.list({ status: "running" })).toHaveLength(1);
  });

  it("does not let a token approve what only `answer` may", async () => {
    const files = {
      ...helperFiles,
      "crew.yaml": `version: "2.0"\nname: helper\nagents: [helper]\nguards: { output: [{ max_chars: 3, on_trip: ask }] }\n`,
    };
    const tokens = tokenLine("chat", "scopes: [run]");
    const { server } = await openServer({ files, tokens, replies: { helper: ["Too long."] } });
    const ask = (apiKey: string, words: string, metadata?: Record<string, string>) =>
      open(server, apiKey).chat.completions.create({
        model: "helper",
        messages: [user(words)],
        ...(metadata && { metadata }),
      }) as Promise<OpenAI.ChatCompletion & Added>;
    const asked = await ask("chat", "x");
    expect(asked.baton?.paused).toMatchObject({ reason: "approval" });
    const metadata = { run_id: asked.baton?.runId ?? "" };
    await expect(ask("chat", "approve", metadata)).rejects.toMatchObject({ status: 403 });
    const approved = await ask("bt_operator", "approve", metadata);
    expect(approved.choices[0]?.message.content).toBe("Too long.");
  });
});

describe("the page on chat clients", () => {
  it("shows a program that runs", async () => {
    const [, text = ""] = /^```js\n([\s\S]*?)^```$/m.exec(readFileSync("docs/chat-clients.md", "utf8")) ?? [];
    const { server } = await openServer();
    const env = { ...process.env, BATON_URL: server.url, BATON_TOKEN: "bt_operator" };
    const child = spawn(process.execPath, ["--input-type=module", "-e", text], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let told = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (part) => {
        told += part;
      });
    await once(child, "close");
    expect(told).toBe("Five.");
  });
});

describe("the AI SDK", () => {
  it("generates and streams text", async () => {
    const { server } = await openServer();
    const baton = createOpenAICompatible({ name: "baton", baseURL: `${server.url}/openai/v1`, apiKey: "bt_operator" });
    const generated = await generateText({ model: baton("desk"), prompt: "x" });
    expect([generated.text, generated.reasoningText]).toEqual(["Five.", "triage: Money."]);
    const streamed = streamText({ model: baton("desk"), prompt: "x" });
    let text = "";
    for await (const part of streamed.textStream) text += part;
    expect([text, await streamed.reasoningText, await streamed.finishReason]).toEqual([
      "Five.",
      "triage: Money.",
      "stop",
    ]);
  });
});

describe("a crew whose agent's model is another crew", () => {
  it.each(["baton/desk", "openai.chat/desk", "openai.responses/desk"])("runs on %s", async (model) => {
    const { server } = await openServer();
    const files = { ...helperFiles, "agents/helper.md": `---\nid: helper\nmodels: [${model}]\n---\nHelp.` };
    const variables = {
      BATON_BASE_URL: `${server.url}/openai/v1`,
      BATON_API_KEY: "bt_operator",
      OPENAI_BASE_URL: `${server.url}/openai/v1`,
      OPENAI_API_KEY: "bt_operator",
    };
    const crew = await loadCrew(writeCrew(files), { env: variables });
    expect(await crew.run("What was it?")).toMatchObject({ status: "completed", output: "Five." });
    expect(
      (await json(await fetch(`${server.url}/v1/runs`, { headers: { authorization: "Bearer bt_operator" } }))).runs,
    ).toHaveLength(1);
  });
});
