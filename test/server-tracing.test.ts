import { expect, it, vi } from "vitest";
import { askingReplies, json, openServer } from "./open-server.ts";
import { registerTracer } from "./traced-runs.ts";

it("a caller's traceparent is the parent of a run that is started, resumed or forked", async () => {
  await using tracer = await registerTracer();
  const { ask } = await openServer({ replies: askingReplies });
  const rootOf = () =>
    vi.waitFor(async () => {
      const root = (await tracer.sent()).find(({ name }) => name.startsWith("invoke_workflow"));
      if (root === undefined) throw new Error("the run's span has not arrived yet");
      return root;
    });
  const caller = (digit: string) => ({
    traceId: digit.repeat(32),
    parentSpanId: digit.repeat(16),
    headers: { traceparent: `00-${digit.repeat(32)}-${digit.repeat(16)}-01` },
  });
  const [start, answer, other] = [caller("1"), caller("2"), caller("3")];
  const expected = ({ traceId, parentSpanId }: typeof start) => ({ traceId, parentSpanId });

  const headers = { ...start.headers, prefer: "wait=30" };
  const { runId } = await json(await ask("/v1/crews/desk/runs", { body: { input: "x" }, headers }));
  const first = await rootOf();
  expect(first).toMatchObject(expected(start));
  const body = { input: "the left" };
  expect((await ask(`/v1/runs/${runId}/resume`, { body, headers: answer.headers })).status).toBe(202);
  const resumed = await rootOf();
  expect(resumed).toMatchObject({ ...expected(answer), links: [{ traceId: start.traceId, spanId: first.spanId }] });
  expect((await ask(`/v1/runs/${runId}/fork`, { body: { at: 0 }, headers: other.headers })).status).toBe(202);
  expect(await rootOf()).toMatchObject(expected(other));
});

it("an MCP client's traceparent is the parent of its run, in a header or in the message", async () => {
  await using tracer = await registerTracer();
  const { ask } = await openServer();
  const call = async (headers: Record<string, string>, meta: object) => {
    const params = { name: "desk", arguments: { input: "x" }, _meta: meta };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const accept = "application/json, text/event-stream";
    expect(await (await ask("/mcp", { body, headers: { accept, ...headers } })).text()).toContain("Five.");
    return vi.waitFor(async () => {
      const root = (await tracer.sent()).find(({ name }) => name.startsWith("invoke_workflow"));
      if (root === undefined) throw new Error("the run's span has not arrived yet");
      return root;
    });
  };
  const parent = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
  expect(await call({ traceparent: parent("1") }, {})).toMatchObject({ traceId: "1".repeat(32) });
  const both = await call({ traceparent: parent("1") }, { traceparent: parent("2") });
  expect(both).toMatchObject({ traceId: "2".repeat(32), parentSpanId: "2".repeat(16) });
});
