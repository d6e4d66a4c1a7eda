import type { CoveredItem, CrewCoverage } from "../../scenario/coverage.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import type { Terminal } from "../terminal.ts";

/** The coverage of a crew for people: the percentage, what is missing, and by which scenario each covered item is shown. */
export function describeCoverage({ crew, percent, items }: CrewCoverage, style: Terminal["style"]): string {
  const covered = items.filter((item) => item.covered);
  const unfilled = items.filter((item) => item.unfilled);
  const missing = items.filter((item) => !item.covered && !item.unfilled);
  const counts = [
    `${covered.length} of ${formatAmount(items.length, "item")}`,
    ...(unfilled.length === 0 ? [] : [`${unfilled.length} unfilled`]),
  ];
  const width = Math.max(0, ...items.map(({ name }) => name.length));
  const line = (sign: string, { name, file, line: at }: CoveredItem, by: string) =>
    `  ${sign} ${name.padEnd(width)}  ${style("dim", by === "" ? `${file}:${at}` : by)}`;
  return [
    `${style("bold", crew)}  ${percent} %  (${counts.join(", ")})`,
    ...missing.map((item) => line(style("red", "✗"), item, "")),
    ...unfilled.map((item) => line(style("yellow", "◌"), item, formatScenarios(item.by))),
    ...covered.map((item) => line(style("green", "✓"), item, formatScenarios(item.by))),
  ].join("\n");
}

function formatScenarios([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${formatAmount(others.length, "other")}`;
}

/** What the signs mean, where they are not plain. */
export function explainSigns(coverage: readonly CrewCoverage[]): string[] {
  const items = coverage.flatMap((each) => each.items);
  return [
    ...(items.some((item) => !item.covered && !item.unfilled)
      ? ["✗ no scenario shows it; --suggest writes scenarios that lead there"]
      : []),
    ...(items.some((item) => item.unfilled)
      ? ["◌ only an unfilled scenario shows it: write real words, check what it expects, and delete 'unfilled'"]
      : []),
  ];
}
