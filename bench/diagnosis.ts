import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { diagnose } from "../src/diagnosis/diagnose.ts";
import { findingCodes } from "../src/diagnosis/finding.ts";
import { findScenarios } from "../src/scenario/play-scenarios.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { longRun } from "./long-run.ts";
import { cpuPerCall, type Figure, type Report } from "./report.ts";
import { diagnosePlants, findingsOf, scoreOf } from "./score-diagnosis.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** How much of what is planted a diagnosis finds, how much of what it finds is there, and how its time grows. */
export async function measure(): Promise<Report> {
  const plants = await diagnosePlants();
  const clean = plants.filter(({ planted }) => planted.size === 0);
  const codes = Object.keys(findingCodes).filter((code) => scoreOf(plants, code).planted > 0);
  return {
    figures: [
      ...codes.flatMap((code) => scoreFigures(code, scoreOf(plants, code))),
      ...scoreFigures("held out", scoreOf(plants.filter(({ isHeldOut }) => isHeldOut))),
      ...scoreFigures("all", scoreOf(plants), 0.9),
      {
        name: "runs in order with a finding",
        value: clean.filter(({ found }) => found.size > 0).length / clean.length,
        unit: `of ${clean.length}`,
        target: { atMost: 0.05 },
      },
      await othersFigure(),
      ...growth(),
    ],
  };
}

function scoreFigures(
  name: string,
  { planted, precision, recall }: ReturnType<typeof scoreOf>,
  least?: number,
): Figure[] {
  const target = least === undefined ? {} : { target: { atLeast: least } };
  return [
    { name: `${name}: precision`, value: precision, unit: "", ...target },
    { name: `${name}: recall`, value: recall, unit: `of ${planted}`, ...target },
  ];
}

/** The scenarios of the tests say little, so that nothing should be read out of their words. */
async function othersFigure(): Promise<Figure> {
  const files = ["examples", "test/scenarios"].flatMap((folder) => findScenarios(join(root, folder)));
  let alarms = 0;
  for (const file of files) if ((await findingsOf(file)).some(({ confidence }) => confidence === "likely")) alarms++;
  return {
    name: "other scenarios with a likely finding",
    value: alarms / files.length,
    unit: `of ${files.length}`,
    target: { atMost: 0.01 },
  };
}

function growth(): Figure[] {
  const time = (events: readonly BatonEvent[]) => cpuPerCall(() => diagnose(events));
  const [short, long] = [longRun(1_000), longRun(10_000)];
  time(short);
  return [
    { name: "10,000 events", value: time(long), unit: "ms" },
    { name: "10,000 events to 1,000", value: time(long) / time(short), unit: "×", target: { atMost: 20 } },
  ];
}
