import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EventReader } from "./event-reader.ts";
import type { Figure } from "./report.ts";
import type { ServerFigures, ServerRequest, ServerSetup } from "./server-process.ts";

const SECRET = "bench";
const RUNS = 50;
const READERS = 1000;
const STALLED = 100;
/** Six events a turn: 20 events a second. */
const TURN_MS = 300;
const TURNS = 40;

const headers = { authorization: `Bearer ${SECRET}`, "content-type": "application/json" };

/** A server in a process of its own, and what it says of itself. */
export interface MeasuredServer {
  readonly url: string;
  start(crew: string): Promise<string>;
  figures(): Promise<ServerFigures>;
  /** When each event since the last call was stored. */
  stored(): Promise<ReadonlyMap<string, number>>;
  stop(): Promise<void>;
}

export async function openMeasuredServer(turns: number, turnMs: number): Promise<MeasuredServer> {
  const folder = mkdtempSync(join(tmpdir(), "baton-bench-server-"));
  const setup: ServerSetup = { folder, secret: SECRET, turns, turnMs, loudTurns: 100, loudCharacters: 100_000 };
  const program = fileURLToPath(new URL("./server-process.ts", import.meta.url));
  const child: ChildProcess = fork(program, [JSON.stringify(setup)], { serialization: "advanced" });
  const [url] = await once(child, "message");
  const ask = async (request: ServerRequest): Promise<unknown> => {
    child.send(request);
    const [answer] = await once(child, "message");
    return answer;
  };
  return {
    url,
    async start(crew) {
      const body = JSON.stringify({ input: "work" });
      const response = await fetch(`${url}/v1/crews/${crew}/runs`, { method: "POST", headers, body });
      return ((await response.json()) as { readonly runId: string }).runId;
    },
    figures: async () => (await ask("figures")) as ServerFigures,
    stored: async () => new Map((await ask("stored")) as [string, number][]),
    async stop() {
      child.send("stop" satisfies ServerRequest);
      await once(child, "exit");
      rmSync(folder, { recursive: true });
    },
  };
}

/** How soon readers have what happens, one for each run, and twenty for each run while a hundred others read nothing. */
export async function measureReaders(): Promise<Figure[]> {
  const server = await openMeasuredServer(TURNS, TURN_MS);
  try {
    return [...(await measureFew(server)), ...(await measureMany(server))];
  } finally {
    await server.stop();
  }
}

async function measureFew(server: MeasuredServer): Promise<Figure[]> {
  const ids = await Promise.all(Array.from({ length: RUNS }, () => server.start("pair")));
  const readers = ids.map((id) => new EventReader(server.url, SECRET, id));
  await Promise.all(readers.map((reader) => reader.open()));
  await Promise.all(readers.map((reader) => reader.closed()));
  const storedAt = await server.stored();
  // The first events are those that were stored before the reader came.
  const arrivals = readers.flatMap(({ read }) => read.arrivals.slice(20));
  const late = arrivals.flatMap(([id, at]) => (storedAt.has(id) ? at - (storedAt.get(id) ?? at) : []));
  return [
    { name: "stored event at its reader, p50 of 50 runs", value: percentile(late, 0.5), unit: "ms" },
    { name: "the same, p99", value: percentile(late, 0.99), unit: "ms", target: { atMost: 5 } },
  ];
}

async function measureMany(server: MeasuredServer): Promise<Figure[]> {
  const ids = await Promise.all(Array.from({ length: RUNS }, () => server.start("pair")));
  const loud = await server.start("loud");
  const stalled = Array.from({ length: STALLED }, () => new EventReader(server.url, SECRET, loud));
  const readers = Array.from({ length: READERS }, (_, at) => new EventReader(server.url, SECRET, ids[at % RUNS] ?? ""));
  await Promise.all(stalled.map((reader) => reader.open({ isStalled: true })));
  await Promise.all(readers.map((reader) => reader.open()));
  await Promise.all(readers.map((reader) => reader.closed()));
  const { rssMb } = await server.figures();
  const dropped = await readDropped(server.url);
  // What was on the way is read, and the rest after a new connection.
  await Promise.all(stalled.map((reader) => reader.drain()));
  for (const reader of stalled.filter(({ read }) => !read.hasEnded)) {
    await reader.open();
    await reader.closed();
  }
  const late = readers.flatMap(({ read }) => read.lateMs.slice(20));
  const wrong = [...readers, ...stalled].filter(
    ({ read }) => !read.hasEnded || read.seqs.some((seq, at) => seq !== at),
  );
  return [
    { name: "event at 1,000 readers, p99", value: percentile(late, 0.99), unit: "ms", target: { atMost: 250 } },
    { name: "memory (RSS) meanwhile", value: rssMb, unit: "MB", target: { atMost: 600 } },
    { name: "stalled readers that were dropped", value: dropped, unit: `of ${STALLED}`, target: { atLeast: STALLED } },
    { name: "readers with an event missing or twice", value: wrong.length, unit: "", target: { atMost: 0 } },
  ];
}

async function readDropped(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^baton_sse_readers_dropped (\d+)/m.exec(text)?.[1] ?? 0);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
