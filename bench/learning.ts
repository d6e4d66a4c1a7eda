import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineAgent, defineCrew } from "../src/index.ts";
import type { HandoffRecord } from "../src/journal/handoff-record.ts";
import { openSqliteStore } from "../src/journal/open-sqlite-store.ts";
import type { Store } from "../src/journal/store.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { type Play, play, policies } from "./learning-simulation.ts";
import { type Figure, median, type Report } from "./report.ts";

const SEEDS = 40;
const RUNS = 300;
/** Right means: in the last so many runs no more than one success in ten was lost against always choosing rightly. */
const WINDOW = 20;
const LOST = 0.1;
/** In so many of the crews. */
const MOST = 0.9;
const HANDOFFS = 1_000_000;
const HANDOFFS_PER_RUN = 10;
const ROUNDS = 5;

/** Whether suggestions beat choosing at random and by the best record so far, after how many runs, and how fast a million handoffs are added up. */
export async function measure(): Promise<Report> {
  return { figures: [...simulated(), ...(await queried())] };
}

/** On crews of four targets and three kinds of input, whose descriptions tell the truth, mostly, or only by chance. */
function simulated(): Figure[] {
  return [
    { name: "true", misleading: 0, atMost: 100 },
    { name: "two in three true", misleading: 1 / 3, atMost: 250 },
    { name: "true by chance", misleading: 1, atMost: undefined },
  ].flatMap(({ name, misleading, atMost }) => {
    const plays = (policy: string) =>
      Array.from({ length: SEEDS }, (_, seed) => play(policies[policy] ?? never, seed + 1, RUNS, misleading));
    const suggested = plays("suggested");
    const lostAgainst = (policy: string, target: Figure["target"]): Figure => ({
      name: `${name}: lost by suggestions`,
      value: regretOf(suggested) / regretOf(plays(policy)),
      unit: `× ${policy}`,
      ...(target !== undefined && { target }),
    });
    return [
      lostAgainst("random", { atMost: 0.5 }),
      lostAgainst("greedy", { atMost: 0.6 }),
      lostAgainst("never trying", undefined),
      { name: `${name}: right at the end`, value: shareRight(suggested, RUNS) * 100, unit: "% of crews" },
      {
        name: `${name}: right in ${MOST * 100} % of crews`,
        value: runsUntilRight(suggested),
        unit: "runs",
        ...(atMost !== undefined && { target: { atMost } }),
      },
    ];
  });
}

function never(): never {
  throw new Error("there is no such policy");
}

/** Successes lost per run against always choosing rightly. */
function regretOf(plays: readonly Play[]): number {
  return (
    plays.reduce((sum, { regrets }) => sum + regrets.reduce((a, b) => a + b, 0) / regrets.length, 0) / plays.length
  );
}

/** The first run after which most crews are right, then and on the average of all that follow; one more than were played where there is none. */
function runsUntilRight(plays: readonly Play[]): number {
  let right = 0;
  let since = RUNS + 1;
  for (let runs = RUNS; runs >= WINDOW; runs--) {
    const share = shareRight(plays, runs);
    right += share;
    if (share >= MOST && right / (RUNS - runs + 1) >= MOST) since = runs;
  }
  return since;
}

function shareRight(plays: readonly Play[], runs: number): number {
  const lost = ({ regrets }: Play) => regrets.slice(runs - WINDOW, runs).reduce((a, b) => a + b, 0) / WINDOW;
  return plays.filter((each) => lost(each) <= LOST).length / plays.length;
}

/** A million handoffs of a hundred thousand runs: how long it takes to add them all up, and those of one crew. */
async function queried(): Promise<Figure[]> {
  const scratch = mkdtempSync(join(tmpdir(), "baton-bench-"));
  const store = await openSqliteStore(join(scratch, "journal.sqlite"));
  try {
    for (let run = 0; run < HANDOFFS / HANDOFFS_PER_RUN; run += 1000) await fill(store, run, 1000);
    return [
      ...(await timed("stats of 1,000,000 handoffs", () => store.stats({}))),
      ...(await timed("stats of one crew of three", () => store.stats({ crew: "crew-1" }))),
      ...(await timed("stats of the newest half", () => store.stats({ since: HANDOFFS / 2 }))),
      ...(await timed("a suggestion after 1,000,000 handoffs", () => suggest(store))),
    ];
  } finally {
    await store.close();
    rmSync(scratch, { recursive: true });
  }
}

/** The time on the clock depends on who else is at work on the machine; what the query itself takes does not. */
async function timed(name: string, ask: () => Promise<unknown>): Promise<Figure[]> {
  const rounds: { readonly cpuMs: number; readonly wallMs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = { cpu: process.cpuUsage(), wall: performance.now() };
    await ask();
    const { user, system } = process.cpuUsage(before.cpu);
    rounds.push({ cpuMs: (user + system) / 1000, wallMs: performance.now() - before.wall });
  }
  return [
    { name, value: median(rounds.map(({ cpuMs }) => cpuMs)), unit: "ms of CPU", target: { atMost: 1000 } },
    { name: `${name}, wall`, value: median(rounds.map(({ wallMs }) => wallMs)), unit: "ms" },
  ];
}

/** Ranks nine targets of an agent by the newest thousand handoffs on each path, on inputs that all differ. */
async function suggest(store: Store): Promise<void> {
  const ids = Array.from({ length: 10 }, (_, index) => `agent-${index}`);
  const agents = ids.map((id) => defineAgent({ id, description: id, prompt: "Do it.", handoff_targets: ids }));
  const crew = defineCrew({ name: "crew-1", models: ["fake/instant"], agents }, { store });
  const ranked = await crew.suggest({ agent: "agent-3", input: "request 7" });
  if (ranked.every(({ successes }) => successes === 0)) throw new Error("there is nothing to rank targets by");
}

async function fill(store: Store, first: number, count: number): Promise<void> {
  const one = async (number: number) => {
    const runId = toRunId(`run_${number}`);
    const lease = await store.take(runId, "bench", 60_000);
    const data = { crew: crewOf(number), input: `request ${number}` };
    const started = { seq: 0, id: `${runId}.0`, runId, ts: number, type: "run.started", path: "", data } as const;
    await store.append(lease, [started], handoffsOf(number));
    await store.release(lease);
  };
  await Promise.all(Array.from({ length: count }, (_, index) => one(first + index)));
}

function crewOf(run: number): string {
  return `crew-${run % 3}`;
}

/** Among ten agents, one handoff in five back to where the work was before. */
function handoffsOf(run: number): HandoffRecord[] {
  return Array.from({ length: HANDOFFS_PER_RUN }, (_, seq) => ({
    crew: crewOf(run),
    from: seq === 0 ? undefined : `agent-${(seq * 7 + run) % 10}`,
    to: `agent-${(seq * 3 + run) % 10}`,
    via: seq === 0 ? "entry" : "signal",
    seq,
    at: run * HANDOFFS_PER_RUN + seq,
    isSuccess: (run + seq) % 7 > 0,
    costUsd: 0.002,
    ms: 800,
    loop: seq % 5 === 4 ? `agent-${run % 10} > agent-1 > agent-${run % 10}` : undefined,
    unmatched: seq === 0 && run % 50 === 0 ? "low_confidence" : undefined,
  }));
}
