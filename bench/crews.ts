import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadDefinition } from "../src/definition/load-definition.ts";
import { cpuInTurns } from "./cpu-in-turns.ts";
import { callingCrew, callingModel, handingCrew, writeCrews } from "./crews-crews.ts";
import { bareLoop } from "./handoff-floors.ts";
import { collect, heapUsed } from "./heap.ts";
import { cpuPerCall, type Figure, median, type Report } from "./report.ts";

const CALLS = 10;

/** What it costs to call a crew: against handing to an agent, with depth, with their number, and in memory. */
export async function measure(): Promise<Report> {
  const scratch = mkdtempSync(join(tmpdir(), "baton-bench-"));
  try {
    return {
      figures: [
        ...(await callFigures(scratch)),
        ...depthFigures(scratch),
        ...loadFigures(scratch),
        ...(await memoryFigures(scratch)),
      ],
    };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** The lead speaks again after each call, as it does after each handoff back: that is a handoff like any other. */
async function callFigures(scratch: string): Promise<Figure[]> {
  const model = callingModel(CALLS);
  const handing = await handingCrew(join(scratch, "handing"), CALLS);
  const calling = await callingCrew(join(scratch, "calling"), CALLS);
  const answers = 2 * CALLS + 1;
  const cpu = await cpuInTurns([() => bareLoop(model, answers), () => handing.run("go"), () => calling.run("go")], 400);
  const [floor = 0, plain = 0, crews = 0] = cpu;
  const handoff = (plain - floor) / (2 * CALLS);
  const call = (crews - floor) / CALLS - handoff;
  return [
    { name: "a handoff over the floor", value: handoff, unit: "µs of CPU" },
    { name: "a sub-crew call over the floor", value: call, unit: "µs of CPU" },
    { name: "a sub-crew call", value: call / handoff, unit: "× a handoff", target: { atMost: 2 } },
  ];
}

/** In several processes, since how Node compiles one of them decides as much as the depth does. */
function depthFigures(scratch: string): Figure[] {
  const child = fileURLToPath(new URL("crews-depth.ts", import.meta.url));
  const measured = Array.from({ length: 5 }, (_, index): readonly [one: number, ten: number] =>
    JSON.parse(execFileSync(process.execPath, [child, join(scratch, `deep-${index}`)], { encoding: "utf8" })),
  );
  return [
    { name: "a level at depth 1", value: median(measured.map(([one]) => one)), unit: "µs of CPU" },
    {
      name: "a level at depth 10",
      value: median(measured.map(([one, ten]) => ten / one)),
      unit: "× depth 1",
      target: { atMost: 1.1 },
    },
  ];
}

function loadFigures(scratch: string): Figure[] {
  const [few, many] = [writeCrews(join(scratch, "few"), 10), writeCrews(join(scratch, "many"), 100)];
  load(few);
  load(many);
  const rounds = Array.from({ length: 9 }, () => [cpuPerCall(() => load(few), 100), cpuPerCall(() => load(many), 100)]);
  const perCrew = median(rounds.map(([, all = 0]) => all / 100));
  const ratio = median(rounds.map(([some = 1, all = 0]) => all / some));
  return [
    { name: "a sub-crew loaded and checked, of 100", value: perCrew, unit: "ms of CPU" },
    { name: "100 sub-crews", value: ratio, unit: "× 10 sub-crews", target: { atMost: 11 } },
  ];
}

function load(folder: string): void {
  const { diagnostics } = loadDefinition(folder, { workingDirectory: folder, root: folder });
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error !== undefined) throw new Error(`the crew of the benchmark has problems: ${error.message}`);
}

/** What 10,000 calls leave behind when their runs are over, and while one run is still making them. */
async function memoryFigures(scratch: string): Promise<Figure[]> {
  const calling = await callingCrew(join(scratch, "short"), CALLS);
  const leftBy = async (runs: number) => {
    for (let run = 0; run < runs; run++) await calling.run("go");
    collect();
    return heapUsed();
  };
  const before = await leftBy(200);
  const left = (await leftBy(1000)) - before;
  const [plain, crews] = [await heldAfter(scratch, "plain"), await heldAfter(scratch, "crews")];
  return [
    { name: "left by 10,000 sub-crew calls", value: left / 1024, unit: "KB", target: { atMost: 256 } },
    { name: "held by a run after 10,000 handoffs there and back", value: plain / 1024, unit: "KB" },
    {
      name: "held by a run after 10,000 sub-crew calls",
      value: crews / plain,
      unit: "× that",
      target: { atMost: 1.1 },
    },
  ];
}

/** The heap of a run after ten thousand calls over that after a hundred. */
async function heldAfter(scratch: string, kind: "plain" | "crews"): Promise<number> {
  const calls = 10_000;
  const make = kind === "plain" ? handingCrew : callingCrew;
  const crew = await make(join(scratch, `long-${kind}`), calls);
  let [answers, early, late] = [0, 0, 0];
  const onEvent = ({
    type,
    agent,
    crew: within,
  }: {
    type: string;
    agent?: string | undefined;
    crew?: string | undefined;
  }) => {
    if (type !== "agent.completed" || agent !== "lead" || within !== undefined) return;
    answers++;
    if (answers !== 100 && answers !== calls) return;
    collect();
    if (answers === 100) early = heapUsed();
    else late = heapUsed();
  };
  await crew.run("go", { onEvent });
  return late - early;
}
