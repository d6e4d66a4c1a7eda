import { appendFileSync } from "node:fs";

/**
 * Which mutant of the instrumented sources is active, read once in each process: `BATON_MUTANT` is its number. Where
 * `BATON_MUTANT_RECORD` names a file, none is; which mutants are reached, and in which test, is appended to it at once,
 * since processes are also killed.
 */
const active = Number(process.env["BATON_MUTANT"] ?? -1);
const file = process.env["BATON_MUTANT_RECORD"];

/** Of this process: sources may be loaded more than once in it. */
interface Reached {
  /** The id of the test that is running; empty while a file is loaded, and for what is done for all its tests. */
  test: string;
  readonly mutants: Map<string, Set<number>>;
}
const shared: typeof globalThis & { batonReached?: Reached } = globalThis;
shared.batonReached ??= { test: process.env["BATON_MUTANT_TEST"] ?? "", mutants: new Map() };
const reached = shared.batonReached;

export function isMutant(id: number): boolean {
  if (file !== undefined) record(file, id);
  return id === active;
}

export function beginTest(test: string): void {
  reached.test = test;
  process.env["BATON_MUTANT_TEST"] = test;
}

function record(to: string, id: number): void {
  const { test, mutants } = reached;
  const before = mutants.get(test) ?? new Set();
  if (before.has(id)) return;
  mutants.set(test, before.add(id));
  appendFileSync(to, `${test}\t${id}\n`);
}
