import { afterEach, describe, expect, it } from "vitest";
import type { BatonEvent } from "../src/events.ts";
import { defineAgent, defineCrew, defineTool } from "../src/index.ts";
import * as hostile from "./hostile-server.ts";
import { type Dialect, dialects } from "./wire-dialects.ts";

let server: hostile.HostileServer | undefined;
afterEach(async () => server?.close());

const good = hostile.answer({ text: "All is well, and this is the whole of it. [DONE]" });
/** What a broken turn carries before it breaks, and must not act: a signal that goes elsewhere. */
const half = { text: "[LEAVE] This is the first half, and this is the second half. [LEAVE] [LEAVE]" };
const call = (id: string, args = '{"at":"x"}', name = "look") => ({ id, name, args });

interface Fault {
  readonly name: string;
  readonly play: hostile.Play;
  /** What follows: the same model again, the next model, or an answer like any other. */
  readonly follows: "retry" | "next" | "answer";
  /** How many calls there are whose cost nobody knows. */
  readonly unknown: number;
  readonly code?: string;
  readonly waitMs?: number;
  readonly timeoutMs?: number;
  readonly tools?: readonly string[];
}

const faults: readonly Fault[] = [
  {
    name: "429 with Retry-After",
    play: hostile.refuse(429, { "retry-after": "0.02" }, '{"error":{"message":"slow down"}}'),
    follows: "retry",
    unknown: 0,
    code: "status_429",
    waitMs: 20,
  },
  {
    name: "429 without Retry-After",
    play: hostile.refuse(429, {}, "{}"),
    follows: "retry",
    unknown: 0,
    code: "status_429",
    waitMs: 1,
  },
  {
    name: "429 with nothing left",
    play: hostile.refuse(
      429,
      {},
      '{"error":{"message":"pay","type":"insufficient_quota","code":"insufficient_quota"}}',
    ),
    follows: "next",
    unknown: 0,
    code: "status_429",
  },
  { name: "500", play: hostile.refuse(500, {}, "{}"), follows: "retry", unknown: 0, code: "status_500" },
  {
    name: "502 with HTML",
    play: hostile.refuse(502, { "content-type": "text/html" }, "<html><h1>Bad gateway</h1></html>"),
    follows: "retry",
    unknown: 0,
    code: "status_502",
  },
  { name: "401", play: hostile.refuse(401, {}, '{"error":{"message":"no"}}'), follows: "next", unknown: 0 },
  {
    name: "a redirect",
    play: hostile.refuse(307, { location: "http://127.0.0.1:1/" }, ""),
    follows: "next",
    unknown: 0,
    code: "status_307",
  },
  { name: "reset before the answer", play: hostile.resetBefore, follows: "retry", unknown: 1, code: "incomplete" },
  {
    name: "reset in the middle",
    play: hostile.half(half, ({ response }) => response.socket?.resetAndDestroy()),
    follows: "retry",
    unknown: 1,
    code: "incomplete",
  },
  {
    name: "a clean end in the middle",
    play: hostile.half(half, ({ response }) => response.end()),
    follows: "retry",
    unknown: 1,
    code: "incomplete",
  },
  { name: "a corrupt chunk", play: hostile.corrupt(half), follows: "retry", unknown: 1, code: "incomplete" },
  {
    name: "an error in the stream",
    play: hostile.half(half, ({ response, dialect }) => response.end(`data: ${dialect.errorEvent}\n\n`)),
    follows: "retry",
    unknown: 1,
    code: "incomplete",
  },
  {
    name: "truncated tool arguments",
    play: hostile.answer({ calls: [call("c1", '{"at":"x')] }),
    follows: "answer",
    unknown: 0,
    tools: ["tool.failed"],
  },
  {
    name: "an unknown tool",
    play: hostile.answer({ calls: [call("c1", "{}", "nobody")] }),
    follows: "answer",
    unknown: 0,
    tools: ["tool.failed"],
  },
  {
    name: "two calls with one id",
    play: hostile.answer({ calls: [call("c1"), call("c1", '{"at":"y"}')] }),
    follows: "answer",
    unknown: 0,
    tools: ["tool.completed", "tool.completed"],
  },
  {
    name: "no usage",
    play: hostile.answer({ text: "Fine. [DONE]", hasUsage: false }),
    follows: "answer",
    unknown: 1,
  },
  { name: "an empty answer", play: hostile.answer({ text: "" }), follows: "retry", unknown: 0, code: "empty" },
  { name: "an empty body", play: hostile.refuse(200, {}, ""), follows: "retry", unknown: 1, code: "incomplete" },
  { name: "a hang at the start", play: hostile.hang, follows: "retry", unknown: 1, code: "timeout", timeoutMs: 100 },
  {
    name: "a hang in the middle",
    play: hostile.half(half, () => {}),
    follows: "retry",
    unknown: 1,
    code: "timeout",
    timeoutMs: 100,
  },
  {
    name: "a byte a second",
    play: hostile.trickle(half),
    follows: "retry",
    unknown: 1,
    code: "timeout",
    timeoutMs: 100,
  },
  {
    name: "letters split over chunks",
    play: hostile.byteByByte({ text: "Kết thúc 🎼 [DONE]" }),
    follows: "answer",
    unknown: 0,
  },
  { name: "100 MB", play: hostile.flood, follows: "next", unknown: 1, code: "too_large" },
];

const table = dialects.flatMap((dialect) =>
  [true, false].flatMap((isStreamed) =>
    faults.map((fault) => ({ ...fault, fault, dialect, isStreamed, format: dialect.provider })),
  ),
);

describe("a model that fails on the wire", () => {
  it.each(table)("$format, streamed: $isStreamed, with $name", async ({ fault, dialect, isStreamed }) => {
    const { events, result } = await runWith(dialect, isStreamed, fault.play, fault.timeoutMs);
    const failures = events.filter((event) => event.type === "model.failed");
    const calls = events.flatMap((event) => (event.type === "model.called" ? event.data : []));
    const follows = fault.name === "no usage" && dialect.alwaysHasUsage ? "retry" : fault.follows;
    if (follows === "answer") expect(failures).toEqual([]);
    else {
      expect(failures).toHaveLength(1);
      expect(failures[0]?.data).toMatchObject({
        isRetryable: follows === "retry",
        ...(fault.code !== undefined && { code: fault.code }),
      });
      expect(calls[1]?.model).toBe(`${dialect.provider}/${follows === "retry" ? "first" : "second"}`);
      if (fault.waitMs !== undefined) expect(calls[1]?.waitMs).toBe(fault.waitMs);
    }
    const ended = events.filter(({ type }) => type === "tool.failed" || type === "tool.completed");
    expect(ended.map(({ type }) => type)).toEqual(fault.tools ?? []);
    expect(result).toMatchObject({ status: "completed", stopReason: "signal", path: ["speaker"] });
    expect(result.cost.unknownCalls).toBe(fault.unknown);
    const signals = events.flatMap((event) => (event.type === "signal.emitted" ? event.data.signal : []));
    expect(signals).toEqual(["[DONE]"]);
    expect(events.filter(({ type }) => type === "handoff")).toEqual([]);
  });

  it.each(dialects)("$provider: a connection that is refused is no cost, and is tried again", async (dialect) => {
    const closed = await hostile.openHostileServer(dialect, [good]);
    await closed.close();
    const { result, events } = await run(crewFor(dialect, closed.url, true));
    const failures = events.flatMap((event) => (event.type === "model.failed" ? event.data : []));
    expect(failures.map(({ code, model }) => [code, model.split("/")[1]])).toEqual([
      ["unreachable", "first"],
      ["unreachable", "first"],
      ["unreachable", "second"],
      ["unreachable", "second"],
    ]);
    expect(result).toMatchObject({ status: "failed", error: { code: "model_failed" }, cost: { unknownCalls: 0 } });
  });

  it("lets go of the connection that it gave up", async () => {
    const [dialect] = dialects;
    if (dialect === undefined) throw new Error("there are dialects");
    server = await hostile.openHostileServer(dialect, [hostile.hang]);
    const { result } = await run(crewFor(dialect, server.url, true, 30));
    expect(result.status).toBe("failed");
    await expect.poll(() => server?.waiting()).toBe(0);
  });
});

async function runWith(dialect: Dialect, isStreamed: boolean, play: hostile.Play, timeoutMs?: number) {
  server = await hostile.openHostileServer(dialect, [play, good]);
  return run(crewFor(dialect, server.url, isStreamed, timeoutMs));
}

async function run(crew: ReturnType<typeof crewFor>) {
  const events: BatonEvent[] = [];
  const result = await crew.run("Go", { onEvent: (event) => void events.push(event) });
  return { events, result };
}

function crewFor({ provider, variable }: Dialect, url: string, isStreamed: boolean, timeoutMs = 20_000) {
  const variables = {
    [`${variable}_BASE_URL`]: provider === "local" ? `${url}/v1` : url,
    OPENAI_API_KEY: "k",
    ANTHROPIC_API_KEY: "k",
    GEMINI_API_KEY: "k",
    BATON_STREAM: isStreamed ? "on" : "off",
  };
  const prices = { input_token_price_per_million: 1, output_token_price_per_million: 1 };
  const look = defineTool({
    name: "look",
    description: "looks",
    parameters: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
    execute: () => "seen",
  });
  const speaker = defineAgent({
    id: "speaker",
    prompt: "Say [DONE] or [LEAVE].",
    tools: ["look"],
    llm_timeout: timeoutMs,
    cost_limits: prices,
  });
  return defineCrew(
    {
      name: "wire",
      entry_point: "speaker",
      models: [`${provider}/first`, `${provider}/second`],
      agents: [speaker, defineAgent({ id: "elsewhere", prompt: "Go." })],
      tools: [look],
      routing: {
        signals: {
          speaker: [
            { signal: "[DONE]", target: "" },
            { signal: "[LEAVE]", target: "elsewhere" },
          ],
        },
      },
      settings: { retry_backoff_min_millis: 1 },
    },
    { models: { variables } },
  );
}
