import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BatonEvent } from "../src/events.ts";
import { readScenario } from "../src/scenario/read-scenario.ts";
import { resultOf } from "../src/views/run-result.ts";
import type { ChildReport, ChildTask } from "./crash-child.ts";

const child = fileURLToPath(new URL("./crash-child.ts", import.meta.url));
const LATER_MS = 60_000;

/** What became of killing a scenario's process at one of its writes, and going on in another. */
export interface CrashPoint {
  readonly scenario: string;
  readonly at: number;
  readonly when: "before" | "in" | "after";
  /** What is wrong with how it ended; empty where all is well. */
  readonly problems: readonly string[];
}

/** Kills a run before, in and after every write that it makes, recovers it in another process, and compares the ends. */
export async function proveScenario(file: string, only?: readonly number[]): Promise<CrashPoint[]> {
  const calm = await inFolder(file, async (folder) => {
    const report = await work({ scenario: file, folder, laterMs: 0 });
    if (report === undefined) throw new Error(`${file}: the process died without being killed`);
    return { report, calls: linesOf(folder, "calls"), effects: linesOf(folder, "effects") };
  });
  const points: CrashPoint[] = [];
  for (const at of only ?? Array.from({ length: calm.report.writes }, (_, index) => index)) {
    for (const when of ["before", "in", "after"] as const) {
      const problems = await inFolder(file, (folder) => crash(file, folder, { at, when }, calm));
      points.push({ scenario: file, at, when, problems });
    }
  }
  return points;
}

interface Calm {
  readonly report: ChildReport;
  readonly calls: number;
  readonly effects: number;
}

async function crash(
  scenario: string,
  folder: string,
  die: NonNullable<ChildTask["die"]>,
  calm: Calm,
): Promise<string[]> {
  const killed = await work({ scenario, folder, die, laterMs: 0 });
  // Writes that only a slow machine makes, such as saying that it is alive, may not come again.
  if (killed !== undefined) return [];
  const mended = await work({ scenario, folder, laterMs: LATER_MS });
  if (mended === undefined) return ["the second process died"];
  return compare(calm, mended, linesOf(folder, "calls"), linesOf(folder, "effects"));
}

function compare(calm: Calm, { events, replayed }: ChildReport, calls: number, effects: number): string[] {
  const [expected, actual] = [resultOf(calm.report.events), resultOf(events)];
  const same = ["status", "stopReason", "output", "finalAgent", "path", "handoffs", "rounds", "usage"] as const;
  const differing = same.filter((key) => JSON.stringify(expected[key]) !== JSON.stringify(actual[key]));
  const lost = events.filter((event) => event.type === "model.failed" && event.data.code === "lost").length;
  const results = count(events, "model.completed") + count(events, "model.failed");
  return [
    ...differing.map((key) => `${key} is ${JSON.stringify(actual[key])}, not ${JSON.stringify(expected[key])}`),
    ...(events.every(({ seq }, index) => seq === index) ? [] : ["the events have a gap"]),
    ...(calls <= results ? [] : [`the provider saw ${calls} calls, and the journal has ${results}`]),
    ...(calls >= results - lost
      ? []
      : [`the journal has ${results} calls, ${lost} lost, and the provider saw ${calls}`]),
    ...(calls <= calm.calls + lost ? [] : [`${calls} calls where ${calm.calls} and ${lost} lost are due`]),
    ...(actual.cost.unknownCalls === expected.cost.unknownCalls + lost ? [] : ["a lost call is not in the accounts"]),
    ...(effects === calm.effects ? [] : [`${effects} effects where ${calm.effects} are due`]),
    ...(replayed ? [] : ["the run cannot be gone over again"]),
  ];
}

function count(events: readonly BatonEvent[], type: BatonEvent["type"]): number {
  return events.filter((event) => event.type === type).length;
}

function linesOf(folder: string, name: string): number {
  const file = join(folder, `${name}.log`);
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
}

/** Gives what the process tells; undefined where it was killed. */
function work(task: ChildTask): Promise<ChildReport | undefined> {
  return new Promise((resolve, reject) => {
    const process_ = spawn(process.execPath, [child, JSON.stringify(task)], {
      stdio: ["ignore", "pipe", "pipe"],
      // Hundreds of processes load the same modules.
      env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "baton-proof-cache") },
    });
    let [told, errors] = ["", ""];
    process_.stdout.on("data", (chunk) => (told += chunk));
    process_.stderr.on("data", (chunk) => (errors += chunk));
    process_.on("close", (code, signal) => {
      if (signal === "SIGKILL") resolve(undefined);
      else if (code === 0) resolve(JSON.parse(told));
      else reject(new Error(`${task.scenario} ended with ${code ?? signal}: ${errors}`));
    });
  });
}

async function inFolder<Value>(file: string, go: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), "baton-proof-"));
  try {
    writeFiles(file, join(folder, "crew"));
    return await go(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeFiles(file: string, folder: string): void {
  const read = readScenario(file, () => file);
  if ("diagnostics" in read) throw new Error(read.diagnostics.map(({ message }) => message).join("\n"));
  for (const [name, text] of read.scenario.files ?? []) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
