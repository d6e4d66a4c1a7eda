/** `npm run fuzz -- load [--count N] [--seed N]`: mutated crews, by the hundred thousand; exits 1 if one does harm. */
import { parseArgs } from "node:util";
import { fuzzLoading } from "./load.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } },
});
const [subject = "load"] = positionals;
if (subject !== "load") {
  console.error(`nothing to fuzz called '${subject}'; there is load`);
  process.exit(2);
}
const result = fuzzLoading({ count: Number(values.count), seed: Number(values.seed), maxCpuMs: 100 });
for (const failure of result.failures)
  console.log(`seed ${failure.seed}: ${failure.reason}\n${failure.file}:\n${failure.text}\n`);
console.log(`slowest ${result.slowestMs.toFixed(1)} ms of CPU; codes seen: ${[...result.codes].sort().join(" ")}`);
console.log(`${result.count - result.failures.length} passed, ${result.failures.length} failed`);
process.exitCode = result.failures.length === 0 ? 0 : 1;
