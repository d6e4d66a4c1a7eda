import { parseArgs } from "node:util";
import { type BenchOptions, printReport, type Report } from "./report.ts";

type Measure = (options: BenchOptions) => Promise<Report> | Report;

/** `npm run bench -- <name> [--json] [--minutes 10]`: measures one subject, or all of them; exits 1 where a target is missed. */
const benches: Readonly<Record<string, () => Promise<{ readonly measure: Measure }>>> = {
  signals: () => import("./signals.ts"),
  load: () => import("./load.ts"),
  handoff: () => import("./handoff.ts"),
  transfers: () => import("./transfers.ts"),
  patterns: () => import("./patterns.ts"),
  redaction: () => import("./redaction.ts"),
  journal: () => import("./journal.ts"),
  postgres: () => import("./postgres.ts"),
  crews: () => import("./crews.ts"),
  conversations: () => import("./conversations.ts"),
  diagnosis: () => import("./diagnosis.ts"),
  classification: () => import("./classification.ts"),
  memory: () => import("./memory.ts"),
  wire: () => import("./wire.ts"),
  learning: () => import("./learning.ts"),
  intervals: () => import("./intervals.ts"),
  server: () => import("./server.ts"),
  walk: () => import("./walk.ts"),
  scenarios: () => import("./scenarios.ts"),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, minutes: { type: "string", default: "0" } },
});
const names = positionals.length === 0 ? Object.keys(benches) : positionals;
const unknown = names.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`no benchmark '${unknown.join("', '")}'; there are ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}
let missed = 0;
for (const name of names) {
  const bench = await benches[name]?.();
  if (bench !== undefined)
    missed += printReport(name, await bench.measure({ minutes: Number(values.minutes) }), values.json);
}
process.exitCode = missed === 0 ? 0 : 1;
