import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { defineAgent, defineCrew } from "../src/index.ts";
import type { Model, ModelRequest } from "../src/models/model.ts";
import { openModel } from "../src/models/open-model.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import type { Message } from "../src/vocabulary/messages.ts";

let server: Server | undefined;
afterEach(() => server?.close());

const request = {
  agent: "b",
  path: "0/t0/m0",
  crew: "",
  calls: 1,
  system: "Be brief.",
  messages: () => [
    { role: "user", text: "Go" },
    { role: "agent", agent: "a", text: "over to you", toolCalls: [] },
    { role: "agent", agent: "b", text: "", toolCalls: [{ name: "look", args: { at: "x" } }] },
    { role: "tool", agent: "b", tool: "look", text: "seen" },
  ],
  tools: [{ name: "look", description: "looks", parameters: { type: "object" } }],
  sampling: { temperature: 0, topP: undefined, topK: undefined, maxOutputTokens: 50, reasoning: undefined },
  json: undefined,
  signal: new AbortController().signal,
  onText: () => {},
  onReasoning: () => {},
} satisfies ModelRequest;

/** Serves OpenAI's chat format on loopback; gives the model that talks to it, and what it was sent. */
async function serve(answer: (response: ServerResponse) => void) {
  const bodies: Record<string, unknown>[] = [];
  server = createServer(async (incoming: IncomingMessage, response) => {
    let text = "";
    for await (const chunk of incoming) text += String(chunk);
    bodies.push(JSON.parse(text));
    answer(response);
  });
  await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const model = await openModel({ provider: "local", model: "m", url: `http://127.0.0.1:${port}/v1` }, {});
  return { model, bodies, port };
}

function stream(response: ServerResponse, ...chunks: readonly unknown[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of chunks) response.write(`data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`);
  response.end();
}

const delta = (content: object, finish: string | null = null) => ({
  id: "1",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta: content, finish_reason: finish }],
});
const usage = {
  id: "1",
  created: 1,
  model: "m",
  choices: [],
  usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
};

describe("a model behind an OpenAI-compatible address", () => {
  it("is told who said what: its own words as its own, others' under their names", async () => {
    const { model, bodies } = await serve((response) =>
      stream(response, delta({ content: "hi" }, "stop"), usage, "[DONE]"),
    );
    await model.call(request);
    expect(bodies[0]).toMatchObject({
      model: "m",
      temperature: 0,
      max_tokens: 50,
      stream_options: { include_usage: true },
    });
    expect(bodies[0]?.["messages"]).toMatchObject([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Go" },
      { role: "user", content: "[a] over to you" },
      { role: "assistant", tool_calls: [{ id: "c00010000", function: { name: "look", arguments: '{"at":"x"}' } }] },
      { role: "tool", tool_call_id: "c00010000", content: "seen" },
    ]);
  });

  it("is sent nothing that has nothing in it, which providers refuse", async () => {
    const { model, bodies } = await serve((response) =>
      stream(response, delta({ content: "hi" }, "stop"), usage, "[DONE]"),
    );
    const messages = (): readonly Message[] => [
      { role: "user", text: "" },
      { role: "agent", agent: "b", text: " \n", toolCalls: [] },
      { role: "user", text: "Go on" },
    ];
    await model.call({ ...request, messages });
    expect(bodies[0]?.["messages"]).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "(empty)" },
      { role: "user", content: "Go on" },
    ]);
    expect(bodies[0]?.["tools"]).toMatchObject([{ function: { parameters: { type: "object", properties: {} } } }]);
  });

  it("streams its text and reports its tokens", async () => {
    const { model } = await serve((response) =>
      stream(response, delta({ content: "he" }), delta({ content: "llo" }, "stop"), usage, "[DONE]"),
    );
    const parts: string[] = [];
    const reply = await model.call({ ...request, onText: (text) => void parts.push(text) });
    expect(parts).toEqual(["he", "llo"]);
    expect(reply).toMatchObject({ text: "hello", finish: "stop", usage: { input: 7, output: 2, total: 9 } });
  });

  it("asks for tools, with arguments as they come", async () => {
    const call = (args: string) => ({
      tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "look", arguments: args } }],
    });
    const { model } = await serve((response) =>
      stream(response, delta(call('{"at":"y"}')), delta({}, "tool_calls"), usage, "[DONE]"),
    );
    expect(await model.call(request)).toMatchObject({
      toolCalls: [{ name: "look", args: { at: "y" } }],
      finish: "tool-calls",
    });
  });

  it.each([
    [429, { "retry-after": "2" }, { status: 429, retryAfterMs: 2000, isRetryable: true }],
    [500, {}, { status: 500, isRetryable: true }],
    [401, {}, { status: 401, isRetryable: false }],
  ])("fails with what the server says: %d", async (status, headers, expected) => {
    const { model } = await serve((response) => response.writeHead(status, headers).end('{"error":{"message":"no"}}'));
    await expect(model.call(request)).rejects.toMatchObject(expected);
  });

  it("is sent how much to reason, and refuses what it cannot be told", async () => {
    const { model, bodies } = await serve((response) =>
      stream(response, delta({ content: "hi" }, "stop"), usage, "[DONE]"),
    );
    await model.call({ ...request, sampling: { ...request.sampling, reasoning: "high" } });
    expect(bodies[0]).toMatchObject({ reasoning_effort: "high" });
    const odd = { ...request, sampling: { ...request.sampling, reasoning: 2048 } };
    await expect(model.call(odd)).rejects.toMatchObject({ code: "bad_reasoning", isRetryable: false });
  });

  it("that stops in the middle of an answer has given none", async () => {
    const { model } = await serve((response) => stream(response, delta({ content: "half a [DO" })));
    await expect(model.call(request)).rejects.toMatchObject({ name: "ModelError", isRetryable: true });
  });
});

describe("a request that is passed on to another model", () => {
  const inner: Model = {
    name: "my/inner",
    call({ signal, onText, onReasoning }) {
      onReasoning(`${signal.aborted}`);
      onText("hi");
      return { text: "hi", toolCalls: [], finish: "stop" };
    },
  };
  const shownBy = async (model: Model) => {
    const events: BatonEvent[] = [];
    const crew = defineCrew(
      { name: "c", models: ["my/m"], agents: [defineAgent({ id: "a", prompt: "Work.", max_retries: 0 })] },
      { models: { "my/m": model }, env: {} },
    );
    const { status } = await crew.run("Go", { onEvent: (event) => void events.push(event) });
    return [status, ...events.flatMap((event) => (event.type.endsWith(".delta") ? [event.data] : []))];
  };

  it("shows what it is given to show", async () => {
    const call = (request: ModelRequest) => {
      const { signal, onText, onReasoning } = request;
      return inner.call({ ...request, signal, onText, onReasoning, system: "Be polite." });
    };
    expect(await shownBy({ name: "my/m", call })).toEqual(["completed", { text: "false" }, { text: "hi" }]);
  });

  it("is no request without its signal and callbacks, as the compiler says", async () => {
    // @ts-expect-error: a copy does not have what is made when it is asked for.
    const call = (request: ModelRequest) => inner.call({ ...request });
    expect(await shownBy({ name: "my/m", call })).toEqual(["failed"]);
  });
});

describe("a chain of models", () => {
  const crew = (models: readonly string[], variables: Readonly<Record<string, string>>) =>
    defineCrew(
      { name: "c", models: [...models], agents: [defineAgent({ id: "a", prompt: "Work." })] },
      { env: variables },
    );

  it("continues with the next where the key of one is not set, and says so", async () => {
    const { port } = await serve((response) => stream(response, delta({ content: "hi" }, "stop"), usage, "[DONE]"));
    const events: BatonEvent[] = [];
    const chain = crew(["anthropic/claude", "local/m"], { LOCAL_BASE_URL: `http://127.0.0.1:${port}/v1` });
    const result = await chain.run("Go", { onEvent: (event) => void events.push(event) });
    expect(result).toMatchObject({ status: "completed", output: "hi", cost: { unknownCalls: 1 } });
    const failures = events.flatMap((event) => (event.type === "model.failed" ? [event.data] : []));
    expect(failures).toEqual([
      {
        model: "anthropic/claude",
        code: "no_key",
        isRetryable: false,
        message: expect.stringContaining("ANTHROPIC_API_KEY"),
      },
    ]);
  });

  it("of which none has its key says for each what to set, before the run begins", async () => {
    const error = await crew(["anthropic/claude", "openai/gpt-5"], {})
      .run("Go")
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: "no-model" });
    expect(String(error)).toMatch(/ANTHROPIC_API_KEY[\s\S]*OPENAI_API_KEY/);
  });
});

describe("an agent whose output is JSON", () => {
  const schema = { type: "object" };
  const signals = { a: [{ signal: "[DONE]", target: "" }] };
  it.each([
    ["asks for it with its schema", {}, { schema }],
    ["does not where signals may stand beside it", { routing: { signals } }, undefined],
    [
      "does where signals are given by a tool",
      { routing: { signals }, settings: { emit: "tool" as const } },
      { schema },
    ],
  ])("%s", async (_, keys, expected) => {
    const asked: ModelRequest["json"][] = [];
    const call = ({ json }: ModelRequest) => {
      asked.push(json);
      return { text: "{}", toolCalls: [], finish: "stop" as const };
    };
    const agents = [defineAgent({ id: "a", prompt: "Say [DONE].", output: { format: "json", schema } })];
    const models = { "my/m": { name: "my/m", call } };
    await defineCrew({ name: "c", models: ["my/m"], agents, ...keys }, { models }).run("Go");
    expect(asked).toEqual([expected]);
  });
});

describe("the address of a model", () => {
  const key = { OPENAI_API_KEY: "k" };
  it.each([
    ["a crew's own address, with a key set", { url: "https://elsewhere.example/v1" }, key, "foreign-address"],
    ["no address at all", { provider: "somebody" }, {}, "unknown-provider"],
    ["no key", {}, {}, "no-key"],
    ["an empty key", {}, { OPENAI_API_KEY: "" }, "no-key"],
    ["what is no address", {}, { ...key, OPENAI_BASE_URL: "elsewhere" }, "bad-address"],
  ])("is refused with %s", async (_, name, variables, code) => {
    const opened = openModel({ provider: "openai", model: "m", ...name }, variables);
    await expect(opened).rejects.toMatchObject({ code });
    if (code === "bad-address") await expect(opened).rejects.toThrow("OPENAI_BASE_URL is 'elsewhere', which is not an");
  });

  it.each([
    ["the owner sends the key there", { url: "https://elsewhere.example/v1" }, "https://elsewhere.example/v1"],
    ["there is no key", { url: "https://elsewhere.example/v1", key: undefined }, undefined],
    ["it never leaves the machine", { url: "http://localhost:8000/v1" }, undefined],
  ])("may be the crew's own where %s", async (_, { url, ...given }, base) => {
    const variables = { ...key, OPENAI_BASE_URL: base, ...("key" in given && { OPENAI_API_KEY: undefined }) };
    await expect(openModel({ provider: "openai", model: "m", url }, variables)).resolves.toBeDefined();
  });
});
