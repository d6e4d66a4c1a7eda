import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../src/index.ts";
import { json, openServer, tokenLine } from "./open-server.ts";

const slowReplies = {
  triage: Array.from({ length: 4 }, () => ({ text: "Money. [BILLING]", latencyMs: 60_000 })),
  billing: ["Five. [DONE]"],
};
const crew = (description: string) =>
  `version: "2.0"\nname: desk\ndescription: ${description}\nagents: [clerk]\nentry_point: clerk\n`;
const files = {
  "baton.yaml": "",
  "crew.yaml": crew("first"),
  "agents/clerk.md":
    "---\nid: clerk\nmodels: [openai/x]\ncost_limits: { input_token_price_per_million: 0, output_token_price_per_million: 10000 }\n---\nHelp.",
};

describe("a token's limit", () => {
  const start = (server: Awaited<ReturnType<typeof openServer>>, body: object = {}) =>
    server.ask("/v1/crews/desk/runs", { token: "web", body: { input: "x", ...body }, headers: { prefer: "wait=0" } });

  it("of runs holds for those that start at once, and frees a place when a run ends", async () => {
    const tokens = tokenLine("web", "scopes: [run, read, answer], max_runs: 2");
    const server = await openServer({ tokens, replies: slowReplies });
    const answers = await Promise.all(Array.from({ length: 8 }, () => start(server)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 429, 429, 429, 429, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect([refused?.headers.get("retry-after"), refused && (await json(refused))]).toMatchObject([
      "5",
      { code: "rate-limited", detail: expect.stringContaining("2 runs") },
    ]);
    const others = await server.ask("/v1/crews/desk/runs", { body: { input: "x" } });
    expect(others.status).toBe(202);
    const accepted = answers.find(({ status }) => status === 202);
    const runId = accepted && (await json(accepted)).runId;
    await server.ask(`/v1/runs/${runId}/cancel`, { token: "web", method: "POST" });
    await expect.poll(async () => (await start(server)).status).toBe(202);
  });

  it("of runs and of cost holds for forks", async () => {
    const tokens = tokenLine("web", "scopes: [run, read], max_runs: 1");
    const slow = await openServer({ tokens, replies: slowReplies });
    const { runId } = await json(await slow.ask("/v1/crews/desk/runs", { body: { input: "x" } }));
    const fork = () => slow.ask(`/v1/runs/${runId}/fork`, { token: "web", body: { at: 0 } });
    const statuses = (await Promise.all([fork(), fork(), fork()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([202, 429, 429]);
    const costly = tokenLine("web", "scopes: [run, read], max_cost_usd_per_day: 0.5");
    const replies = { clerk: [{ text: "a", usage: { output: 100 } }] };
    const { ask, store } = await openServer({ tokens: costly, replies, files });
    const body = { input: "x" };
    const first = await json(await ask("/v1/crews/desk/runs", { token: "web", body, headers: { prefer: "wait=30" } }));
    await expect.poll(async () => (await store.documents("token-spending")).length).toBe(1);
    expect((await ask(`/v1/runs/${first.runId}/fork`, { token: "web", body: { at: 0 } })).status).toBe(429);
  });

  it("of runs counts those that wait, also after a restart", async () => {
    const tokens = tokenLine("web", "scopes: [run, read], max_runs: 1");
    const store = openMemoryStore();
    const first = await openServer({ tokens, store });
    expect((await start(first, { delay: "1h" })).status).toBe(202);
    expect((await start(first)).status).toBe(429);
    await first.server.stop(0);
    const second = await openServer({ tokens, store });
    expect((await start(second)).status).toBe(429);
  });

  it("of cost a day refuses runs once it is reached, until midnight, also after a restart", async () => {
    const tokens = tokenLine("web", "scopes: [run, read], max_cost_usd_per_day: 1.5");
    const store = openMemoryStore();
    const replies = { clerk: ["a", "b", "c"].map((text) => ({ text, usage: { output: 100 } })) };
    const headers = { prefer: "wait=30" };
    const run = (server: Awaited<ReturnType<typeof openServer>>, token = "web") =>
      server.ask("/v1/crews/desk/runs", { token, body: { input: "x" }, headers });
    const first = await openServer({ tokens, store, replies, files });
    expect(await json(await run(first))).toMatchObject({ status: "completed", cost: { usd: 1 } });
    await expect.poll(async () => (await store.documents("token-spending")).length).toBe(1);
    expect((await run(first)).status).toBe(200);
    await expect.poll(async () => (await store.documents("token-spending"))[0]?.value).toEqual({ usd: 2 });
    const second = await openServer({ tokens, store, replies, files });
    const refused = await run(second);
    expect([refused.status, (await json(refused)).detail]).toEqual([429, expect.stringMatching(/\$2 today.*\$1\.5/)]);
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds > 0 && seconds <= 86_400).toBe(true);
    expect((await run(second, "bt_operator")).status).toBe(200);
  });
});

it("a watched crew is loaded again when its files change, and the last valid one is served while they have errors", async () => {
  const server = await openServer({ files, watch: true });
  const described = async () => (await (await server.ask("/v1/crews/desk")).json()) as { readonly description: string };
  const write = (text: string) => writeFileSync(join(server.folder, "crew.yaml"), text);
  write(crew("second"));
  await expect.poll(async () => (await described()).description, { timeout: 5000 }).toBe("second");
  expect(server.lines.some((line) => line.includes("crew 'desk' was loaded again"))).toBe(true);
  write(crew("third").replace("entry_point: clerk", "entry_point: nobody"));
  const told = () => server.lines.find((line) => line.includes("was not loaded again"));
  await expect.poll(told, { timeout: 5000 }).toMatch(/crew\.yaml:\d+ .*nobody/s);
  expect((await described()).description).toBe("second");
  write(crew("fourth"));
  await expect.poll(async () => (await described()).description, { timeout: 5000 }).toBe("fourth");
  // As editors do: a new file takes the place of the old one, and is written to later.
  writeFileSync(join(server.folder, "draft"), crew("fifth"));
  renameSync(join(server.folder, "draft"), join(server.folder, "crew.yaml"));
  await expect.poll(async () => (await described()).description, { timeout: 5000 }).toBe("fifth");
  write(crew("sixth"));
  await expect.poll(async () => (await described()).description, { timeout: 5000 }).toBe("sixth");
});

it("a server that cannot begin says why, and what to do", async () => {
  const { server, folder } = await openServer();
  const port = Number(new URL(server.url).port);
  await expect(openServer({ port })).rejects.toMatchObject({
    code: "bad-options",
    message: `another program listens on port ${port} of 127.0.0.1: choose another port with --port, or 0 for a free one`,
  });
  await expect(openServer({ host: "192.0.2.1" })).rejects.toThrow("is not an address of this machine");
  await expect(openServer({ folder, paths: [folder, folder] })).rejects.toThrow("is given twice");
});
