import { dirname } from "node:path";
import type { Mutant } from "./find-mutants.ts";
import type { LaneTask } from "./lane.ts";
import type { MeasuredTests } from "./measure-tests.ts";
import type { Lane } from "./start-lane.ts";

/** What became of a mutant. Of the test files that reach one that survived, as many were run as the time allowed. */
export type Fate =
  | { readonly type: "killed"; readonly by: string; readonly file: string; readonly isTimeout: boolean }
  | { readonly type: "survived"; readonly run: number; readonly reaching: number; readonly seconds: number };

/** What is learned on the way, for the mutants that follow. */
export interface Experience {
  /** How many mutants of a source file a test file was run for, and how many it killed: by `<source> <test>`. */
  readonly tries: Map<string, { readonly runs: number; readonly kills: number }>;
  /** Tests that were seen to pass by themselves. */
  readonly independent: Set<string>;
  /** Test files whose tests need the tests before them. */
  readonly whole: Set<string>;
}

/** The tests of one file that reach a mutant. */
interface Reach {
  readonly tests: MeasuredTests;
  readonly testIds: readonly string[] | undefined;
  readonly expectedMs: number;
}

/** Several times as long as without the mutant, on a machine that may be busier than it was. */
const limitOf = ({ expectedMs }: Reach) => 5 * expectedMs + 15_000;

/**
 * Runs the tests that reach a mutant, those first that will probably find it soon, until one fails.
 *
 * @param seconds how long the tests of one mutant may take, by what they took without it
 */
export async function judgeMutant(
  id: number,
  mutant: Mutant,
  measured: readonly MeasuredTests[],
  experience: Experience,
  seconds: number,
  lane: Lane,
): Promise<Fate> {
  const promiseOf = ({ tests, expectedMs }: Reach) => {
    const { runs, kills } = experience.tries.get(`${mutant.file} ${tests.file}`) ?? { runs: 0, kills: 0 };
    const isNear = dirname(tests.file) === dirname(mutant.file);
    return (kills + (isNear ? 2 : 1)) / (runs + 3) / expectedMs;
  };
  const reaches = measured.flatMap((tests) => reachOf(id, tests, experience) ?? []);
  reaches.sort((a, b) => promiseOf(b) - promiseOf(a));
  let [run, leftMs] = [0, 1000 * seconds];
  for (const reach of reaches) {
    leftMs -= reach.expectedMs;
    if (leftMs < 0 && run > 0) break;
    run++;
    const fate = await tryTests(id, reach, experience, lane);
    countTry(mutant, reach.tests.file, fate !== undefined, experience);
    if (fate !== undefined) return fate;
  }
  return { type: "survived", run, reaching: reaches.length, seconds };
}

export function countTry({ file }: Mutant, testFile: string, isKill: boolean, { tries }: Experience): void {
  const pair = `${file} ${testFile}`;
  const { runs, kills } = tries.get(pair) ?? { runs: 0, kills: 0 };
  tries.set(pair, { runs: runs + 1, kills: kills + (isKill ? 1 : 0) });
}

function reachOf(id: number, tests: MeasuredTests, { whole }: Experience): Reach | undefined {
  const own = tests.tests.filter((test) => tests.reached[test.id]?.includes(id));
  const isForAll =
    whole.has(tests.file) ||
    Object.entries(tests.reached).some(
      ([test, ids]) => !own.some(({ id: known }) => known === test) && ids.includes(id),
    );
  if (!isForAll && own.length === 0) return undefined;
  const sum = (some: readonly { readonly ms: number }[]) => some.reduce((total, { ms }) => total + ms, 0);
  const expectedMs = isForAll ? tests.ms : Math.max(100, tests.ms - sum(tests.tests) + sum(own));
  return { tests, testIds: isForAll ? undefined : own.map((test) => test.id), expectedMs };
}

type Killed = Extract<Fate, { type: "killed" }>;

async function tryTests(id: number, reach: Reach, experience: Experience, lane: Lane): Promise<Killed | undefined> {
  const { file } = reach.tests;
  const task: LaneTask = { file, mutant: id, ...(reach.testIds !== undefined && { testIds: reach.testIds }) };
  const result = await lane.run(task, limitOf(reach));
  if (result === undefined) return { type: "killed", by: `${file}: not done in time`, file, isTimeout: true };
  if (result.failed === undefined) return undefined;
  const killed: Killed = { type: "killed", by: result.failed.name, file, isTimeout: false };
  const failed = result.failed.id;
  if (failed === undefined || reach.testIds === undefined || experience.independent.has(failed)) return killed;
  const alone = await lane.run({ file, testIds: [failed] }, limitOf(reach));
  if (alone !== undefined && alone.failed === undefined) {
    experience.independent.add(failed);
    return killed;
  }
  // Without the mutant the test fails as well: it needs those before it.
  experience.whole.add(file);
  return tryTests(id, { tests: reach.tests, testIds: undefined, expectedMs: reach.tests.ms }, experience, lane);
}
