import { setTimeout as wait } from "node:timers/promises";
import { median } from "../report.ts";
import { agentsOf, historyOf, type MakeChain } from "./chain.ts";
import type { ChainFigures } from "./measure-peers.ts";

const AGENTS = 10;
const HISTORY = 1000;
const HOPS = 5;
const CONCURRENT_RUNS = 1000;
const MODEL_MS = 20;
const WARM_UP_MS = 1000;
const ROUND_MS = 200;
/** After this no further round is begun: the slowest peer takes ten seconds for one. */
const ROUNDS_MS = 3000;

/** `node measure-one.ts <file of chains/>`: the figures of one peer, in a process that no other peer has touched. */
const { makeChain }: { readonly makeChain: MakeChain } = await import(`./chains/${process.argv[2]}.ts`);
let calls = 0;

const figures: ChainFigures = {
  microsecondsPerHandoff: await cpuPerHandoff(0),
  microsecondsPerHandoffWithHistory: await cpuPerHandoff(HISTORY),
  concurrentMs: await wallOfConcurrentRuns(),
};
process.stdout.write(JSON.stringify(figures));
// Some peers leave timers behind that would keep the process for seconds.
process.exit();

/** CPU of the whole process, so that what a peer leaves to the collector counts, divided by the agents that had a turn. */
async function cpuPerHandoff(history: number): Promise<number> {
  const answer = async () => {
    calls++;
    return "Done.";
  };
  const run = makeChain({ agents: agentsOf(AGENTS), history: historyOf(history), answer });
  await cpuPerCall(run, WARM_UP_MS);
  return median(await rounds(5, () => cpuPerCall(run, ROUND_MS)));
}

/** Microseconds of CPU per model call of runs one after the other, for as long as given and at least once. */
async function cpuPerCall(run: () => Promise<unknown>, durationMs: number): Promise<number> {
  const callsBefore = calls;
  const end = performance.now() + durationMs;
  const before = process.cpuUsage();
  let runs = 0;
  do {
    await run();
    runs++;
  } while (performance.now() < end);
  const { user, system } = process.cpuUsage(before);
  expectCalls(callsBefore, runs * AGENTS);
  return (user + system) / (runs * AGENTS);
}

async function wallOfConcurrentRuns(): Promise<number> {
  const answer = async () => {
    calls++;
    await wait(MODEL_MS);
    return "Done.";
  };
  const run = makeChain({ agents: agentsOf(HOPS), history: [], answer });
  const wallOf = async (runs: number) => {
    const callsBefore = calls;
    const before = performance.now();
    await Promise.all(Array.from({ length: runs }, run));
    const milliseconds = performance.now() - before;
    expectCalls(callsBefore, runs * HOPS);
    return milliseconds;
  };
  await wallOf(CONCURRENT_RUNS / 10);
  return median(await rounds(3, () => wallOf(CONCURRENT_RUNS)));
}

/** A chain that ends early, or asks twice, would be compared with ones that do something else. */
function expectCalls(before: number, expected: number): void {
  if (calls - before !== expected) throw new Error(`${calls - before} model calls where ${expected} were due`);
}

/** An odd number of them even where time is up, so that the median does not lean to the slower of two. */
async function rounds(count: number, measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  const end = performance.now() + ROUNDS_MS;
  do values.push(await measure());
  while (values.length < count && (performance.now() < end || values.length % 2 === 0));
  return values;
}
