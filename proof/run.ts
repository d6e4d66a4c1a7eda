import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { findScenarios } from "../src/scenario/play-scenarios.ts";
import { readScenario } from "../src/scenario/read-scenario.ts";
import { startServer } from "../test/postgres-server.ts";
import { type CrashPoint, proveScenario } from "./crash.ts";
import { filePlaces, openPostgresPlaces, type Places } from "./places.ts";
import { bundleProgram } from "./start-child.ts";

/**
 * `npm run proof:crash [-- [--seed N] [--points N | --all [--thirds N]] [--store postgres] <scenarios>]`: says how many points of how many
 * runs were tried, and how many failed. Points are drawn with a seed and spread over all runs, unless `--all` asks for every one.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    points: { type: "string", default: "2400" },
    all: { type: "boolean", default: false },
    thirds: { type: "string", default: "24" },
    store: { type: "string", default: "sqlite" },
  },
});
const ours = [
  "crash",
  "external",
  "tools-and-sub-agents.scenario.yaml",
  "multi-crew/pause-two-deep.scenario.yaml",
  "compose/in-a-sub-crew.scenario.yaml",
];
const paths = positionals.length > 0 ? positionals : ours.map((name) => `test/scenarios/${name}`);
const files = paths.flatMap(findScenarios).filter(isFit);
const points: CrashPoint[] = [];

async function proveAll(program: string, places: Places): Promise<void> {
  for (const [index, file] of files.entries()) {
    const before = points.length;
    // What a short run leaves goes to those after it.
    const share = values.all ? undefined : Math.ceil((Number(values.points) - before) / (files.length - index));
    await proveScenario(file, {
      program,
      places,
      seed: Number(values.seed),
      points: share,
      thirds: Number(values.thirds),
      atOnce: Math.max(2, availableParallelism()),
      onPoint(point: CrashPoint) {
        points.push(point);
        if (point.problems.length > 0) console.log(describe(point, share));
      },
    });
    console.log(`${formatTime()} ${relative(".", file)}: ${points.length - before} points`);
  }
}

function describe({ scenario, deaths, answering, problems }: CrashPoint, share: number | undefined): string {
  const file = relative(".", scenario);
  const killed = deaths.map(({ at, when }) => `${when} write ${at}`).join(", then ");
  return [
    `FAILED ${file}, killed ${killed}, answering ${answering}: ${problems.join("; ")}`,
    `again: npm run proof:crash -- --seed ${values.seed} ${share === undefined ? `--all --thirds ${values.thirds}` : `--points ${share}`} --store ${values.store} ${file}`,
  ].join("\n");
}

/** Starts a PostgreSQL server, if runs are to be stored there, and stops it afterwards. */
async function withPlaces(go: (places: Places) => Promise<void>): Promise<void> {
  if (values.store === "sqlite") return go(filePlaces);
  if (values.store !== "postgres") throw new Error(`--store takes sqlite or postgres, and got '${values.store}'`);
  const server = startServer();
  try {
    const places = await openPostgresPlaces(server);
    await go(places);
    await places.close();
  } finally {
    server.stop();
    rmSync(server.folder, { recursive: true, force: true });
  }
}

function formatTime(): string {
  const seconds = Math.round(performance.now() / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
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

console.log(`${files.length} runs, seed ${values.seed}`);
const scratch = mkdtempSync(join(tmpdir(), "baton-proof-program-"));
try {
  const program = await bundleProgram(scratch);
  await withPlaces((places) => proveAll(program, places));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const count = (isIt: (point: CrashPoint) => boolean) => points.filter(isIt).length;
const failed = count(({ problems }) => problems.length > 0);
console.log(
  [
    `${files.length} runs, ${points.length} points of kill -9 tried in ${formatTime()} minutes`,
    `${count(({ deaths }) => deaths.length === 1)} at first processes`,
    `${count(({ deaths }) => deaths.length === 2)} at second`,
    `${count(({ deaths }) => deaths.length > 2)} at third (drawn with seed ${values.seed})`,
    `${count(({ decisions }) => decisions > 0)} with decisions`,
    `${failed} failed`,
  ].join(", "),
);
process.exitCode = failed === 0 ? 0 : 1;
