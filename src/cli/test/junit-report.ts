import { dirname } from "node:path";
import type { ScenarioReport, ScenarioResults } from "../../scenario/play-scenarios.ts";
import { escapeXml } from "../xml-text.ts";

/** The outcomes as JUnit XML: a suite for each folder, a case for each scenario. */
export function formatJunit({ scenarios }: ScenarioResults): string {
  const suites = [...Map.groupBy(scenarios, ({ file }) => dirname(file))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="baton"${formatCounts(scenarios)}>`,
    ...suites.flatMap(([folder, cases]) => [
      `  <testsuite name="${escapeXml(folder)}"${formatCounts(cases)}>`,
      ...cases.flatMap((each) => formatCase(each, folder)),
      "  </testsuite>",
    ]),
    "</testsuites>",
  ].join("\n");
}

function formatCounts(scenarios: readonly ScenarioReport[]): string {
  const failures = scenarios.filter(({ problems }) => problems.length > 0).length;
  const ms = scenarios.reduce((sum, each) => sum + each.ms, 0);
  return ` tests="${scenarios.length}" failures="${failures}" errors="0" skipped="0" time="${formatSeconds(ms)}"`;
}

function formatCase({ name, file, problems, notes, ms }: ScenarioReport, folder: string): string[] {
  const attributes = `name="${escapeXml(name)}" classname="${escapeXml(folder)}" file="${escapeXml(file)}" time="${formatSeconds(ms)}"`;
  const inside = [
    ...problems.map(
      (problem) =>
        `      <failure message="${escapeXml(problem.split("\n", 1)[0] ?? "")}">${escapeXml(problem)}</failure>`,
    ),
    ...(notes.length === 0 ? [] : [`      <system-out>${escapeXml(notes.join("\n"))}</system-out>`]),
  ];
  return inside.length === 0
    ? [`    <testcase ${attributes}/>`]
    : [`    <testcase ${attributes}>`, ...inside, "    </testcase>"];
}

function formatSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
