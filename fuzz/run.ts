/**
 * `npm run fuzz -- [load | runs | crews | plan | ag-ui | leaks] [--count N] [--seed N] [--store postgres]`: damaged crews that are loaded, random crews that are run,
 * crews that call crews, runs beside their plans, runs as AG-UI tells them, and many runs in one process; without a subject the first three. Exits 1 if one does harm.
 */
import { parseArgs } from "node:util";
import { fuzzLeaks } from "./leaks.ts";
import { fuzzLoading } from "./load.ts";
import { randomCrew } from "./random-crew.ts";
import { fuzzAgUi, fuzzCrews, fuzzPlans, fuzzRuns, type RunsResult, tryCrew } from "./runs.ts";
import { shrink } from "./shrink.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string" }, seed: { type: "string", default: "1" }, store: { type: "string" } },
});
const seed = numberOf("seed", values.seed);
const countOr = (usual: number) => (values.count === undefined ? usual : numberOf("count", values.count));

/** Each gives how many of how many failed. */
const subjects: Readonly<Record<string, () => Promise<readonly [failed: number, count: number]>>> = {
  load: async () => {
    const result = fuzzLoading({ count: countOr(100_000), seed, maxCpuMs: 100 });
    for (const failure of result.failures)
      console.log(`seed ${failure.seed}: ${failure.reason}\n${failure.file}:\n${failure.text}\n`);
    console.log(`slowest ${result.slowestMs.toFixed(1)} ms of CPU; codes seen: ${[...result.codes].sort().join(" ")}`);
    return [result.failures.length, result.count];
  },
  runs: async () => {
    const result = await fuzzRuns({ count: countOr(20_000), seed, onProgress: tellTenths(countOr(20_000)), keep });
    for (const [index, failure] of result.failures.entries()) {
      console.log(`seed ${failure.seed}: ${failure.problems.join("\n")}`);
      if (index === 0) console.log(`with as little as this:\n${await cutDown(failure.seed, failure.problems)}`);
      console.log(`again: npm run fuzz -- runs --seed ${failure.seed} --count 1\n`);
    }
    console.log(`${result.events} events; ${endsOf(result)}`);
    return [result.failures.length, result.count];
  },
  crews: async () => {
    const result = await fuzzCrews({ count: countOr(5000), seed, onProgress: tellTenths(countOr(5000)), keep });
    for (const failure of result.failures)
      console.log(
        `seed ${failure.seed}: ${failure.problems.join("\n")}\nagain: npm run fuzz -- crews --seed ${failure.seed} --count 1\n`,
      );
    console.log(`${result.events} events; ${endsOf(result)}`);
    return [result.failures.length, result.count];
  },
  plan: async () => {
    const result = await fuzzPlans({ count: countOr(20_000), seed, onProgress: tellTenths(countOr(20_000)) });
    for (const failure of result.failures)
      console.log(
        `seed ${failure.seed}: ${failure.problems.join("\n")}\nagain: npm run fuzz -- plan --seed ${failure.seed} --count 1\n`,
      );
    console.log(`${result.events} events; ${endsOf(result)}`);
    return [result.failures.length, result.count];
  },
  "ag-ui": async () => {
    const result = await fuzzAgUi({ count: countOr(2000), seed, onProgress: tellTenths(countOr(2000)) });
    for (const failure of result.failures)
      console.log(
        `seed ${failure.seed}: ${failure.problems.join("\n")}\nagain: npm run fuzz -- ag-ui --seed ${failure.seed} --count 1\n`,
      );
    console.log(`${result.events} events; ${endsOf(result)}`);
    return [result.failures.length, result.count];
  },
  leaks: async () => {
    const tell = tellTenths(countOr(100_000));
    const onProgress = (done: number, heapBytes: number) =>
      tell(done, `, ${(heapBytes / 2 ** 20).toFixed(2)} MiB of heap`);
    const { problems, count, grownBytes } = await fuzzLeaks({ count: countOr(100_000), onProgress });
    for (const problem of problems) console.log(problem);
    console.log(`the heap grew by ${(grownBytes / 2 ** 20).toFixed(2)} MiB after the first fifth`);
    return [problems.length, count];
  },
};

function endsOf({ ends }: RunsResult): string {
  const sorted = [...ends].sort(([a], [b]) => a.localeCompare(b));
  return sorted.map(([end, count]) => `${count} ${end}`).join(", ");
}

function numberOf(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  console.error(`--${name} must be a whole number, got '${text}'`);
  process.exit(2);
}

/** Says every tenth of the way how far it is. */
function tellTenths(count: number): (done: number, more?: string) => void {
  const step = Math.max(1, Math.ceil(count / 10));
  return (done, more = "") => {
    if (done % step === 0) console.log(`${done} of ${count}${more}`);
  };
}

/** Where runs are stored, if that is asked for. */
async function openKept() {
  if (values.store === undefined) return undefined;
  if (values.store === "postgres") return (await import("./keep-in-postgres.ts")).openKeeper();
  console.error(`--store takes postgres, got '${values.store}'`);
  return process.exit(2);
}

/** The crew of a seed, without all that is not needed for the first of its problems. */
async function cutDown(failed: number, [problem = ""]: readonly string[]): Promise<string> {
  const kind = (text: string) => text.split("\n")[0]?.replaceAll(/\d+/g, "N");
  const crew = await shrink(randomCrew(failed), async (smaller) => {
    try {
      return (await tryCrew(smaller)).problems.some((each) => kind(each) === kind(problem));
    } catch {
      // Something that every random crew has was cut away.
      return false;
    }
  });
  return JSON.stringify(crew, undefined, 1);
}

const keeper = await openKept();
const keep = keeper?.keep;
const wanted = positionals.length === 0 ? ["load", "runs", "crews"] : positionals;
for (const name of wanted) {
  const fuzz = subjects[name];
  if (fuzz === undefined) {
    console.error(`nothing to fuzz called '${name}'; there are ${Object.keys(subjects).join(", ")}`);
    process.exit(2);
  }
  const start = performance.now();
  const [failed, count] = await fuzz();
  const seconds = (performance.now() - start) / 1000;
  console.log(`${name}: ${count - failed} passed, ${failed} failed, ${seconds.toFixed(1)} s`);
  if (failed > 0) process.exitCode = 1;
}
await keeper?.close();
