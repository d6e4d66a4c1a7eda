import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { loadCrew, openSqliteStore, type Store, script } from "../src/index.ts";
import { type RunningServer, startServer } from "../src/server/start-server.ts";
import { type BenchOptions, median, type Report } from "./report.ts";
import { measureMinutes } from "./server-minutes.ts";
import { measureReaders } from "./server-readers.ts";

const SECRET = "bench";
const ROUNDS = 9;
const REQUESTS = 100;
const headers = { authorization: `Bearer ${SECRET}`, "content-type": "application/json" };

/** What a run through HTTP costs besides the run, how soon readers have what happens, and whether memory grows. */
export async function measure({ minutes }: BenchOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "baton-bench-server-"));
  mkdirSync(join(folder, "agents"));
  writeFileSync(join(folder, "baton.yaml"), "");
  writeFileSync(join(folder, "crew.yaml"), 'version: "2.0"\nname: lone\nagents: [a]\n');
  writeFileSync(join(folder, "agents/a.md"), "---\nid: a\nmodels: [openai/x]\n---\nAnswer.");
  const store = await openSqliteStore(join(folder, "journal.sqlite"));
  const server = await openServer(folder, store);
  const floor = await openFloor();
  try {
    const crew = await loadCrew(folder, { store, script: script({ a: ["done"] }), env: {} });
    // In turn, since a run waits for the disk, and what comes after a wait is slower than what is called a hundred times in a row.
    const runAndFloor = async () => {
      await crew.run("work");
      await (await fetch(floor.url, { method: "POST", headers, body: "{}" })).text();
    };
    const ratios: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const ofFloor = await cpuOf(runAndFloor);
      const ofServer = await cpuOf(() => startRun(server.url));
      if (round > 0) ratios.push(ofServer / ofFloor);
    }
    const name = "run through HTTP";
    const ratio = { name, value: median(ratios), unit: "× crew.run + bare hono", target: { atMost: 1.5 } };
    const lasting = minutes > 0 ? await measureMinutes(minutes) : [];
    return { figures: [ratio, ...(await measureReaders()), ...lasting] };
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
