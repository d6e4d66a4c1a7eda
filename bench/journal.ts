import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openSqliteStore } from "../src/journal/open-sqlite-store.ts";
import type { Lease, Store } from "../src/journal/store.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { type RunId, toRunId } from "../src/vocabulary/ids.ts";
import { type Figure, median, type Report } from "./report.ts";
import { resumeFigures } from "./resume.ts";
import { stallFigures } from "./stalls.ts";

const ROUNDS = 7;
/** Before measuring: SQLite uses its log again from the start once it is full, and from then on commits cost what they will cost. */
const WARM_UP_STEPS = 750;
const STEPS = 750;
const CONCURRENT_RUNS = 100;
const PAUSED_RUNS = 10_000;
const LEASE_MS = 60_000;
/** Words of a common length for an answer of a model. */
const WORDS = "The moon shows us always the same face, because it turns once while it goes round us once. ".repeat(8);

interface Cost {
  readonly cpuUs: number;
  readonly wallUs: number;
}

/** What keeping a run costs, against a bare commit of the same bytes to the same kind of file; lists and reading. */
export async function measure(): Promise<Report> {
  const scratch = mkdtempSync(join(tmpdir(), "baton-bench-"));
  try {
    return {
      figures: [
        ...(await appendFigures(scratch)),
        ...(await readFigures(scratch)),
        ...(await resumeFigures()),
        ...(await stallFigures()),
      ],
    };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function appendFigures(scratch: string): Promise<Figure[]> {
  const rounds: { bare: Cost; lone: Cost; many: Cost }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const place = (name: string) => join(scratch, `${name}-${round}.sqlite`);
    rounds.push({
      bare: await measureBare(place("bare")),
      lone: await measureStore(place("lone"), 1),
      many: await measureStore(place("many"), CONCURRENT_RUNS),
    });
  }
  const middle = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  return [
    { name: "bare commit", value: middle(({ bare }) => bare.cpuUs), unit: "µs of CPU" },
    { name: "bare commit, wall", value: middle(({ bare }) => bare.wallUs), unit: "µs" },
    ratio(
      "append of a lone run",
      middle(({ lone, bare }) => lone.cpuUs / bare.cpuUs),
    ),
    {
      name: "append of a lone run, wall",
      value: middle(({ lone, bare }) => lone.wallUs / bare.wallUs),
      unit: "× bare commit",
    },
    ratio(
      `append of ${CONCURRENT_RUNS} runs at once`,
      middle(({ many, bare }) => many.cpuUs / bare.cpuUs),
    ),
    { name: `appends of ${CONCURRENT_RUNS} runs, each`, value: middle(({ many }) => many.cpuUs), unit: "µs of CPU" },
    { name: `appends of ${CONCURRENT_RUNS} runs, wall`, value: middle(({ many }) => many.wallUs), unit: "µs" },
  ];
}

function ratio(name: string, value: number): Figure {
  return { name, value, unit: "× bare commit", target: { atMost: 1.5 } };
}

/** One insert and commit for each event, with the settings that the store has. */
async function measureBare(file: string): Promise<Cost> {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE bare (text TEXT)");
  const insert = database.prepare("INSERT INTO bare (text) VALUES (?)");
  const texts = eventsOf(toRunId("run_bare"), 2 * (WARM_UP_STEPS + STEPS)).map((event) => JSON.stringify(event));
  for (const text of texts.splice(0, 2 * WARM_UP_STEPS)) insert.run(text);
  const cost = await costOf(texts.length, async () => {
    for (const text of texts) insert.run(text);
  });
  database.close();
  return cost;
}

/** Two appends a step, the intent and then the result, each waited for; runs go on independently of each other. */
async function measureStore(file: string, runs: number): Promise<Cost> {
  const store = await openSqliteStore(file);
  const [warmUp, steps] = runs === 1 ? [WARM_UP_STEPS, STEPS] : [20, 30];
  const ready = await Promise.all(
    Array.from({ length: runs }, async (_, index) => {
      const runId = toRunId(`run_${index}`);
      return { lease: await store.take(runId, "bench", LEASE_MS), events: eventsOf(runId, 2 * (warmUp + steps)) };
    }),
  );
  const appendAll = async (from: number, to?: number) => {
    await Promise.all(ready.map(({ lease, events }) => appendEach(store, lease, events.slice(from, to))));
  };
  await appendAll(0, 2 * warmUp);
  const cost = await costOf(2 * steps * runs, () => appendAll(2 * warmUp));
  await store.close();
  return cost;
}

async function appendEach(store: Store, lease: Lease, events: readonly BatonEvent[]): Promise<void> {
  for (const event of events) await store.append(lease, [event]);
}

async function readFigures(scratch: string): Promise<Figure[]> {
  const store = await openSqliteStore(join(scratch, "many-runs.sqlite"));
  const ids = Array.from({ length: PAUSED_RUNS }, (_, index) => toRunId(`run_${index}`));
  await Promise.all(
    ids.map(async (runId) => {
      const lease = await store.take(runId, "bench", LEASE_MS);
      await store.append(lease, [...eventsOf(runId, 3), pausedOf(runId, 3)]);
      await store.release(lease);
    }),
  );
  const [short, long] = [toRunId("run_short"), toRunId("run_long")];
  for (const [runId, count] of [
    [short, 1000],
    [long, 10_000],
  ] as const)
    await store.append(await store.take(runId, "bench", LEASE_MS), eventsOf(runId, count));
  const listed: number[] = [];
  const ratios: number[] = [];
  const longReads: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    listed.push(await wallMs(() => store.list({ status: "paused" })));
    const shortRead = await wallMs(() => store.read(short));
    longReads.push(await wallMs(() => store.read(long)));
    ratios.push((longReads.at(-1) ?? 0) / shortRead);
  }
  await store.close();
  return [
    {
      name: `${PAUSED_RUNS.toLocaleString("en-US")} paused runs listed`,
      value: median(listed),
      unit: "ms",
      target: { atMost: 100 },
    },
    { name: "10,000 events read", value: median(longReads), unit: "ms" },
    { name: "10,000 events read, ratio", value: median(ratios), unit: "× 1,000 events" },
  ];
}

function eventsOf(runId: RunId, count: number): BatonEvent[] {
  return Array.from({ length: count }, (_, seq): BatonEvent => {
    const envelope = {
      seq,
      id: `${runId}.${seq}`,
      runId,
      ts: 1_800_000_000_000 + seq,
      path: `teacher/${seq >> 1}`,
      agent: "teacher",
      crew: "quiz",
    };
    if (seq === 0) return { ...envelope, type: "run.started", data: { crew: "quiz", input: "Start the exam" } };
    return seq % 2 === 1
      ? { ...envelope, type: "model.called", data: { model: "openai/gpt-5", turn: 1, attempt: 1 } }
      : {
          ...envelope,
          type: "model.completed",
          data: { model: "openai/gpt-5", text: WORDS, toolCalls: [], finish: "stop" },
        };
  });
}

function pausedOf(runId: RunId, seq: number): BatonEvent {
  const data = { agent: "teacher", reason: "signal", prompt: "Go on?", options: [] } as const;
  return { seq, id: `${runId}.${seq}`, runId, ts: 1_800_000_000_000 + seq, path: "", type: "run.paused", data };
}

async function costOf(times: number, act: () => Promise<void>): Promise<Cost> {
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  await act();
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpuUs: (user + system) / times, wallUs: ((performance.now() - before) * 1000) / times };
}

async function wallMs(act: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await act();
  return performance.now() - before;
}
