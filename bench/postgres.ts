import { rmSync } from "node:fs";
import pg from "pg";
import { openPostgresStore } from "../src/journal/open-postgres-store.ts";
import type { Lease, Store } from "../src/journal/store.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { type PostgresServer, startServer } from "../test/postgres-server.ts";
import { type Figure, median, type Report } from "./report.ts";

const ROUNDS = 5;
const APPENDS = 400;
const RUNS = 100;
const LEASE_MS = 600_000;
/** Words of a common length for an answer of a model. */
const WORDS = "The moon shows us always the same face, because it turns once while it goes round us once. ".repeat(8);

interface Cost {
  readonly cpuUs: number;
  readonly wallUs: number;
}

/** What an append costs in PostgreSQL, against a bare insert and commit of the same bytes in the same server, which flushes each commit. */
export async function measure(): Promise<Report> {
  const server = startServer({ isDurable: true });
  try {
    const rounds: { bare: Cost; lone: Cost; serial: Cost; group: Cost }[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ bare: await measureBare(server, round), ...(await measureStore(server, round)) });
    const middle = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
    const figures: Figure[] = [
      { name: "bare commit", value: middle(({ bare }) => bare.cpuUs), unit: "µs of CPU" },
      { name: "bare commit, wall", value: middle(({ bare }) => bare.wallUs), unit: "µs" },
      {
        name: "append of a lone run",
        value: middle(({ lone, bare }) => lone.cpuUs / bare.cpuUs),
        unit: "× bare commit",
        target: { atMost: 1.5 },
      },
      {
        name: "append of a lone run, wall",
        value: middle(({ lone, bare }) => lone.wallUs / bare.wallUs),
        unit: "× bare commit",
      },
      { name: `append of ${RUNS} runs at once`, value: middle(({ group }) => group.cpuUs), unit: "µs of CPU" },
      {
        name: `group commit of ${RUNS} runs`,
        value: middle(({ serial, group }) => serial.wallUs / group.wallUs),
        unit: "× one by one",
        target: { atLeast: 5 },
      },
    ];
    return { figures };
  } finally {
    server.stop();
    rmSync(server.folder, { recursive: true, force: true });
  }
}

/** One insert and commit for each event, with a prepared statement. */
async function measureBare(server: PostgresServer, round: number): Promise<Cost> {
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  await client.query(`CREATE TABLE bare_${round} (number integer PRIMARY KEY, text text NOT NULL)`);
  const insert = async (event: BatonEvent) => {
    const text = `INSERT INTO bare_${round} VALUES ($1, $2)`;
    await client.query({ name: "bare", text, values: [event.seq, JSON.stringify(event)] });
  };
  const events = eventsOf("run_bare", 2 * APPENDS);
  for (const event of events.slice(0, APPENDS)) await insert(event);
  const cost = await costOf(APPENDS, async () => {
    for (const event of events.slice(APPENDS)) await insert(event);
  });
  await client.end();
  return cost;
}

async function measureStore(server: PostgresServer, round: number) {
  const store = await openPostgresStore(server.url(), { schema: `round_${round}` });
  const lone = await prepare(store, "lone", 2 * APPENDS);
  await appendEach(store, lone.lease, lone.events.slice(0, APPENDS));
  const loneCost = await costOf(APPENDS, () => appendEach(store, lone.lease, lone.events.slice(APPENDS)));
  const many = await Promise.all(Array.from({ length: RUNS }, (_, index) => prepare(store, `run_${index}`, 30)));
  const appendAll = async (from: number, to: number) => {
    await Promise.all(many.map(({ lease, events }) => appendEach(store, lease, events.slice(from, to))));
  };
  await appendAll(0, 10);
  const serial = await costOf(4 * RUNS, async () => {
    for (let seq = 10; seq < 14; seq++)
      for (const { lease, events } of many) await store.append(lease, events.slice(seq, seq + 1));
  });
  const group = await costOf(16 * RUNS, () => appendAll(14, 30));
  await store.close();
  return { lone: loneCost, serial, group };
}

async function prepare(store: Store, name: string, count: number) {
  const lease = await store.take(toRunId(name), "bench", LEASE_MS);
  return { lease, events: eventsOf(name, count) };
}

async function appendEach(store: Store, lease: Lease, events: readonly BatonEvent[]): Promise<void> {
  for (const event of events) await store.append(lease, [event]);
}

async function costOf(count: number, work: () => Promise<void>): Promise<Cost> {
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuUs: (user + system) / count, wallUs: ((performance.now() - start) * 1000) / count };
}

function eventsOf(name: string, count: number): BatonEvent[] {
  const runId = toRunId(name);
  const envelope = (seq: number) => ({ seq, id: `${name}.${seq}`, runId, ts: 1_800_000_000_000 + seq, path: "" });
  return Array.from(
    { length: count },
    (_, seq): BatonEvent =>
      seq === 0
        ? { ...envelope(seq), type: "run.started", data: { crew: "bench", input: "hello" } }
        : { ...envelope(seq), type: "agent.completed", data: { answer: WORDS, turns: 1 } },
  );
}
