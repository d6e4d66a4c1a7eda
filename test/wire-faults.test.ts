import { afterEach, describe, expect, it } from "vitest";
import { defineAgent, defineCrew, defineTool } from "../src/index.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import * as hostile from "./hostile-server.ts";
import { type Dialect, dialects } from "./wire-dialects.ts";
import { call, faults } from "./wire-fault-table.ts";

let server: hostile.HostileServer | undefined;
afterEach(async () => server?.close());

const good = hostile.answer({ text: "All is well, and this is the whole of it. [DONE]" });
const table = dialects.flatMap((dialect) =>
  [true, false].flatMap((isStreamed) =>
    faults.map((fault) => ({ ...fault, fault, dialect, isStreamed, format: dialect.provider })),
  ),
);

describe("a model that fails on the wire", () => {
  it.each(table)("$format, streamed: $isStreamed, with $name", async ({ fault, dialect, isStreamed }) => {
    const { events, result } = await runPatiently(dialect, isStreamed, fault.play, fault.timeoutMs);
    const failures = events.filter((event) => event.type === "model.failed");
    const calls = events.flatMap((event) => (event.type === "model.called" ? event.data : []));
    const isRefused = fault.usage !== undefined && dialect.refusedUsages?.includes(fault.usage) === true;
    const follows = isRefused ? "retry" : fault.follows;
    if (isRefused) expect(failures[0]?.data.message).toContain("usage");
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
    // Whatever came of an attempt, what the provider counted is in the bill.
    const billed = events.flatMap(({ type, data }) =>
      (type === "model.completed" || type === "model.failed") && data.usage !== undefined ? [data.usage.total] : [],
    );
    expect(billed).toEqual(billed.map(() => 15));
    expect(billed).toHaveLength(calls.length - fault.unknown - (fault.isUnbilled === true ? 1 : 0));
    const isCounted = events.every(({ type, data }) => type !== "model.completed" || data.usage !== undefined);
    expect(result.usage.total).toBe(isCounted ? 15 * billed.length : null);
    const signals = events.flatMap((event) => (event.type === "signal.emitted" ? event.data.signal : []));
    expect(signals).toEqual(["[DONE]"]);
    expect(events.filter(({ type }) => type === "handoff")).toEqual([]);
  });

  const formats = dialects.flatMap((dialect) =>
    [true, false].map((isStreamed) => ({ dialect, isStreamed, format: dialect.provider })),
  );
  it.each(formats)(
    "$format, streamed: $isStreamed: a refused connection is no cost, and is tried again",
    async (each) => {
      const closed = await hostile.openHostileServer(each.dialect, [good]);
      await closed.close();
      const { result, events } = await run(crewFor(each.dialect, closed.url, each.isStreamed));
      const failures = events.flatMap((event) => (event.type === "model.failed" ? event.data : []));
      expect(failures.map(({ code, model }) => [code, model.split("/")[1]])).toEqual([
        ["unreachable", "first"],
        ["unreachable", "first"],
        ["unreachable", "second"],
        ["unreachable", "second"],
      ]);
      const message = expect.stringContaining("nothing listens there; start the server");
      expect(result).toMatchObject({
        status: "failed",
        error: { code: "model_failed", message },
        cost: { unknownCalls: 0 },
      });
    },
  );

  it.each(formats)(
    "$format, streamed: $isStreamed: an empty rest of a cut-off answer is asked for again",
    async (each) => {
      const cut = hostile.answer({ text: "All is", end: "length" });
      const plays = [cut, hostile.answer({ text: " " }), hostile.answer({ text: " well. [DONE]" })];
      server = await hostile.openHostileServer(each.dialect, plays);
      const { result, events } = await run(crewFor(each.dialect, server.url, each.isStreamed));
      expect(result).toMatchObject({ status: "completed", output: "All is well.", usage: { total: 45 } });
      expect(events.filter(({ type }) => type === "model.failed")).toMatchObject([{ data: { code: "empty" } }]);
    },
  );

  const odd = formats.flatMap((each) => ['{"at":"x', '"x"', "[1]"].map((args) => ({ ...each, args })));
  it.each(odd)("$format, streamed: $isStreamed: arguments like $args go back in a form that is taken", async (each) => {
    await runWith(each.dialect, each.isStreamed, hostile.answer({ calls: [call("c1", each.args)] }));
    const sent = JSON.stringify(server?.requests[1]?.["messages"] ?? server?.requests[1]);
    const [, plain, quoted] = /"(?:input|args)":(\{"arguments":.*?\})|"arguments":"(.*?[^\\])"/.exec(sent) ?? [];
    const given = plain ?? JSON.parse(`"${quoted}"`);
    expect(JSON.parse(given)).toEqual({ arguments: isJson(each.args) ? JSON.parse(each.args) : each.args });
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

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

async function runWith(dialect: Dialect, isStreamed: boolean, play: hostile.Play, timeoutMs?: number) {
  server = await hostile.openHostileServer(dialect, [play, good]);
  return run(crewFor(dialect, server.url, isStreamed, timeoutMs));
}

/** On a busy machine even the good answer may be too late for a short limit of time; then a longer one shows the same. */
async function runPatiently(dialect: Dialect, isStreamed: boolean, play: hostile.Play, timeoutMs?: number) {
  const ran = await runWith(dialect, isStreamed, play, timeoutMs);
  const timeouts = ran.events.filter(({ type, data }) => type === "model.failed" && data.code === "timeout");
  if (timeoutMs === undefined || timeouts.length < 2 || timeoutMs > 10_000) return ran;
  await server?.close();
  return runPatiently(dialect, isStreamed, play, timeoutMs * 10);
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
    collaborations: ["elsewhere"],
    llm_timeout: timeoutMs,
    cost_limits: prices,
  });
  return defineCrew(
    {
      name: "wire",
      entry_point: "speaker",
      models: [`${provider}/first`, `${provider}/second`],
      agents: [speaker, defineAgent({ id: "elsewhere", description: "elsewhere", prompt: "Go." })],
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
    { env: variables },
  );
}
