import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { loadCrew, openSqliteStore, type Store, script } from "../src/index.ts";
import { type RunningServer, startServer } from "../src/server/start-server.ts";
import { median, type Report } from "./report.ts";

const SECRET = "bench";
const ROUNDS = 5;
const REQUESTS = 100;
const STREAMED_RUNS = 50;
const headers = { authorization: `Bearer ${SECRET}`, "content-type": "application/json" };

/** What a run through HTTP costs besides the run, and how soon a reader has an event that is stored. */
export async function measure(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "baton-bench-server-"));
  mkdirSync(join(folder, "agents"));
  writeFileSync(join(folder, "baton.yaml"), "");
  writeFileSync(join(folder, "crew.yaml"), 'version: "2.0"\nname: lone\nagents: [a]\n');
  writeFileSync(join(folder, "agents/a.md"), "---\nid: a\nmodels: [openai/x]\n---\nAnswer.");
  const store = await openSqliteStore(join(folder, "journal.sqlite"));
  const storedAt = new Map<string, number>();
  const server = await openServer(folder, timed(store, storedAt));
  const floor = await openFloor();
  try {
    const ratios: number[] = [];
    const crew = await loadCrew(folder, { store, script: script({ a: ["done"] }), env: {} });
    for (let round = 0; round <= ROUNDS; round++) {
      const ofRun = await cpuOf(() => crew.run("work"));
      const ofFloor = await cpuOf(async () => (await fetch(floor.url, { method: "POST", headers, body: "{}" })).text());
      const ofServer = await cpuOf(() => startRun(server.url));
      if (round > 0) ratios.push(ofServer / (ofRun + ofFloor));
    }
    const latencies = (
      await Promise.all(Array.from({ length: STREAMED_RUNS }, () => readRun(server.url, storedAt)))
    ).flat();
    const figures = [
      { name: "run through HTTP", value: median(ratios), unit: "× crew.run + bare hono", target: { atMost: 1.5 } },
      {
        name: "event at its reader, p99 of 50 runs",
        value: percentile(latencies, 0.99),
        unit: "ms",
        target: { atMost: 5 },
      },
    ];
    return { figures };
  } finally {
    await server.stop(0);
    floor.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

function openServer(folder: string, store: Store): Promise<RunningServer> {
  return startServer({
    paths: [folder],
    crews: {
      workingDirectory: folder,
      root: undefined,
      setup: { models: { script: script({ a: ["done"] }), variables: {} } },
    },
    ...{ store, host: "127.0.0.1", port: 0, secret: SECRET, tokensFile: undefined, origins: [], allowedHosts: [] },
    ...{
      publicUrl: undefined,
      trustsProxy: false,
      a2aCrew: undefined,
      pushAllow: [],
      maxRuns: 200,
      maxBody: 1_048_576,
      recovers: false,
      isMetricsPublic: false,
    },
    ...{ isLogJson: false, watch: false, variables: {}, write: () => {} },
  });
}

/** A server of the same parts that does nothing. */
async function openFloor() {
  const app = new Hono();
  app.post("/", async (context) => context.json({ ok: (await context.req.json()) !== undefined }));
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** Microseconds of processor time for each of many calls in a row. */
async function cpuOf(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < REQUESTS; index++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
}

async function startRun(url: string): Promise<void> {
  const body = JSON.stringify({ input: "work" });
  const given = { ...headers, prefer: "wait=30" };
  await (await fetch(`${url}/v1/crews/lone/runs`, { method: "POST", headers: given, body })).text();
}

/** How long after each stored event its reader has it. */
async function readRun(url: string, storedAt: ReadonlyMap<string, number>): Promise<number[]> {
  const given = { ...headers, accept: "text/event-stream" };
  const body = JSON.stringify({ input: "work" });
  const response = await fetch(`${url}/v1/crews/lone/runs`, { method: "POST", headers: given, body });
  const latencies: number[] = [];
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    const now = performance.now();
    for (const [, id = ""] of decoder.decode(part).matchAll(/"id":"(run_[0-9a-f]+\.\d+)"/g))
      latencies.push(now - (storedAt.get(id) ?? now));
  }
  return latencies;
}

/** The same store, which notes when each event is stored. */
function timed(store: Store, storedAt: Map<string, number>): Store {
  const append: Store["append"] = async (lease, events, ...others) => {
    await store.append(lease, events, ...others);
    for (const { id } of events) storedAt.set(id, performance.now());
  };
  return { ...store, append };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
