import { relative } from "node:path";
import { parseArgs } from "node:util";
import { readScenario } from "../src/scenario/read-scenario.ts";
import { findScenarios } from "../src/scenario/run-scenarios.ts";
import { type CrashPoint, proveScenario } from "./crash.ts";

/** `npm run proof:crash [-- <scenarios>]`: says how many points of how many runs were tried, and how many failed. */
const { positionals } = parseArgs({ allowPositionals: true });
const ours = [
  "external",
  "tools-and-sub-agents.scenario.yaml",
  "multi-crew/pause-two-deep.scenario.yaml",
  "compose/in-a-sub-crew.scenario.yaml",
];
const paths = positionals.length > 0 ? positionals : ours.map((name) => `test/scenarios/${name}`);
const files = paths.flatMap(findScenarios).filter(isFit);
const points: CrashPoint[] = [];
const waiting = [...files];

async function proveNext(): Promise<void> {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const found = await proveScenario(file);
    points.push(...found);
    for (const { at, when, problems } of found.filter(({ problems }) => problems.length > 0))
      console.log(`${relative(".", file)}, ${when} write ${at}: ${problems.join("; ")}`);
    if (process.stdout.isTTY) console.log(`${files.length - waiting.length} of ${files.length} runs`);
  }
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

await Promise.all([proveNext(), proveNext()]);
const failed = points.filter(({ problems }) => problems.length > 0).length;
console.log(`${files.length} runs, ${points.length} points of kill -9 tried, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
