import { describe, expect, it } from "vitest";
import { openMemoryStore, script } from "../src/index.ts";
import { json, openServer, tokenLine } from "./open-server.ts";

describe("tokens", () => {
  const tokens =
    tokenLine("reader", "scopes: [read]") +
    tokenLine("web", "scopes: [run, read]") +
    tokenLine("gone", "scopes: [admin], expires: 2020-01-01") +
    tokenLine("other", "scopes: [run, read, answer], crews: [lab]") +
    tokenLine("slow", "scopes: [read], requests_per_minute: 2");

  it("may do what their scopes say", async () => {
    const { ask } = await openServer({ tokens });
    const start = (token: string, body: object = { input: "x" }) => ask("/v1/crews/desk/runs", { body, token });
    expect((await start("reader")).status).toBe(403);
    expect((await start("web")).status).toBe(202);
    expect((await start("gone")).status).toBe(401);
    expect((await start("nobody")).status).toBe(401);
    expect((await start("", { input: "x" })).status).toBe(401);
    expect((await start("web", { input: "x", user: "anna" })).status).toBe(403);
    expect((await start("web", { input: "x", user: "web" })).status).toBe(202);
    expect((await ask("/metrics", { token: "web" })).status).toBe(403);
  });

  it("see no more than their crews, and cannot tell a run of others from none", async () => {
    const { ask } = await openServer({ tokens });
    const { runId } = await json(await ask("/v1/crews/desk/runs", { body: { input: "x" } }));
    const hidden = await ask(`/v1/runs/${runId}`, { token: "other" });
    const absent = await ask("/v1/runs/run_00000000000000000000", { token: "other" });
    expect([hidden.status, absent.status]).toEqual([404, 404]);
    expect(Object.keys(await json(hidden))).toEqual(Object.keys(await json(absent)));
    expect(await json(await ask("/v1/crews", { token: "other" }))).toEqual({ crews: [] });
    expect(await json(await ask("/v1/runs", { token: "other" }))).toEqual({ runs: [] });
    expect((await ask("/v1/crews/desk/runs", { token: "other", body: { input: "x" } })).status).toBe(404);
  });

  it("are limited in requests a minute", async () => {
    const { ask } = await openServer({ tokens });
    expect((await ask("/v1/crews", { token: "slow" })).status).toBe(200);
    expect((await ask("/v1/crews", { token: "slow" })).status).toBe(200);
    const refused = await ask("/v1/crews", { token: "slow" });
    expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d?$/);
  });
});

describe("the server", () => {
  it("tells problems as documents, never with a stack or a path", async () => {
    const { ask, folder } = await openServer();
    const response = await ask("/v1/crews/desk/runs", { body: { input: 7, colour: "red" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
    const problem = await json(response);
    expect(problem).toMatchObject({ status: 400, code: "bad-request", detail: expect.any(String) });
    const texts = await Promise.all(
      ["/nowhere", "/v1/crews/none", "/v1/runs/none"].map(async (path) => (await ask(path)).text()),
    );
    for (const text of [...texts, JSON.stringify(problem)]) {
      expect(text).not.toContain(folder);
      expect(text).not.toMatch(/node_modules|\.ts:\d/);
    }
  });

  it("stops gracefully: it takes no more runs, leaves what goes on to others, and ends streams", async () => {
    const store = openMemoryStore();
    const never = script({ triage: [{ text: "late", latencyMs: 60_000 }] });
    const { ask, server } = await openServer({ store, script: never });
    const { runId } = await json(await ask("/v1/crews/desk/runs", { body: { input: "x" } }));
    const stream = await ask(`/v1/runs/${runId}/events`, { headers: { accept: "text/event-stream" } });
    const text = stream.text();
    await server.stop(0);
    expect(await text).toMatch(/retry: 2000\n\n$/);
    const [run] = await store.list();
    expect(run).toMatchObject({ status: "running", isOwned: false });
    await expect(ask("/healthz")).rejects.toThrow();
  });

  it("continues at its start what a server left, and nothing that others started", async () => {
    const store = openMemoryStore();
    const never = script({ triage: [{ text: "late", latencyMs: 60_000 }] });
    const first = await openServer({ store, script: never });
    const { runId } = await json(await first.ask("/v1/crews/desk/runs", { body: { input: "x" } }));
    await first.server.stop(0);
    await openServer({ store, folder: first.folder, recovers: false });
    expect((await store.list())[0]?.status).toBe("running");
    const { ask } = await openServer({ store, folder: first.folder });
    await expect.poll(async () => (await json(await ask(`/v1/runs/${runId}`))).status).toBe("completed");
  });

  it("shows figures for Prometheus", async () => {
    const { ask } = await openServer();
    await ask("/v1/crews/desk/runs", { body: { input: "x" }, headers: { prefer: "wait=30" } });
    const text = await (await ask("/metrics")).text();
    expect(text).toContain('baton_runs_total{crew="desk",status="completed"} 1');
    expect(text).toMatch(/baton_handoffs_total\{crew="desk",from="triage",to="billing",via="signal"\} 1/);
    expect(text).toContain("baton_journal_commit_seconds_count");
  });

  it("logs one line a request, with the token's name and the run, and no secrets", async () => {
    const { ask, lines } = await openServer();
    const { runId } = await json(
      await ask("/v1/crews/desk/runs?x=1", { body: { input: "my words" } }).then(() =>
        ask("/v1/crews/desk/runs", { body: { input: "my words" } }),
      ),
    );
    expect(lines.at(-1)).toMatch(new RegExp(`202 POST /v1/crews/desk/runs \\d+ms token=operator run=${runId}$`));
    expect(lines.join("\n")).not.toMatch(/my words|bt_operator/);
  });
});
