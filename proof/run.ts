import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { readScenario } from "../src/scenario/read-scenario.ts";
import { findScenarios } from "../src/scenario/run-scenarios.ts";
import { type CrashPoint, proveScenario } from "./crash.ts";
import { bundleProgram } from "./start-child.ts";

/** `npm run proof:crash [-- <scenarios>]`: says how many points of how many runs were tried, and how many failed. */
const { positionals } = parseArgs({ allowPositionals: true });
const ours = [
  "crash",
  "external",
  "tools-and-sub-agents.scenario.yaml",
  "multi-crew/pause-two-deep.scenario.yaml",
  "compose/in-a-sub-crew.scenario.yaml",
];
/** Every write of the first process, every eighth of the second, and one of each third. */
const STRIDES = [1, 8, Number.POSITIVE_INFINITY];
const paths = positionals.length > 0 ? positionals : ours.map((name) => `test/scenarios/${name}`);
const files = paths.flatMap(findScenarios).filter(isFit);
const points: CrashPoint[] = [];
const waiting = [...files];
const scratch = mkdtempSync(join(tmpdir(), "baton-proof-program-"));

async function proveNext(program: string): Promise<void> {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const found = await proveScenario(file, { program, strides: STRIDES });
    points.push(...found);
    for (const point of found.filter(({ problems }) => problems.length > 0)) console.log(describe(point));
    console.log(`${relative(".", file)}: ${found.length} points`);
  }
}

function describe({ scenario, deaths, answering, problems }: CrashPoint): string {
  const killed = deaths.map(({ at, when }) => `${when} write ${at}`).join(", then ");
  return `${relative(".", scenario)}, killed ${killed}, answering ${answering}: ${problems.join("; ")}`;
}

/**
 * Those that run, and do not take long on the real clock: written out, with short waits and no limits of time; and without
 * quotas, in which a call that was lost counts, so that the run rightly ends earlier.
 */
function isFit(file: string): boolean {
  const read = readScenario(file, () => file);
  if ("diagnostics" in read) return false;
  const { scenario } = read;
  const text = JSON.stringify([...(scenario.files ?? [])]);
  const replies = [...(scenario.script?.values() ?? [])].flat();
  const isSlow = replies.some(
    (reply) => typeof reply === "object" && ((reply.latency_ms ?? 0) > 20 || reply.error !== undefined),
  );
  return (
    scenario.files !== undefined &&
    scenario.expect?.status !== "invalid" &&
    !isSlow &&
    !/timeout|delay|quota/.test(text)
  );
}

try {
  const program = await bundleProgram(scratch);
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, () => proveNext(program)));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const count = (isIt: (point: CrashPoint) => boolean) => points.filter(isIt).length;
const failed = count(({ problems }) => problems.length > 0);
console.log(
  [
    `${files.length} runs, ${points.length} points of kill -9 tried`,
    `${count(({ deaths }) => deaths.length === 2)} of them after one recovery`,
    `${count(({ deaths }) => deaths.length > 2)} after two`,
    `${count(({ decisions }) => decisions > 0)} with decisions`,
    `${failed} failed`,
  ].join(", "),
);
process.exitCode = failed === 0 ? 0 : 1;
