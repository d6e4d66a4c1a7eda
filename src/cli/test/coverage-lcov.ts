import { resolve } from "node:path";
import type { CoveredItem, CrewCoverage } from "../../scenario/coverage.ts";

/** Coverage as lcov: each item is a branch on its line, taken as often as filled scenarios show it. */
export function formatLcov(coverage: readonly CrewCoverage[], workingDirectory: string): string {
  const byFile = Map.groupBy(
    coverage.flatMap(({ items }) => items),
    ({ file }) => file,
  );
  return [...byFile].map(([file, items]) => formatFile(resolve(workingDirectory, file), items)).join("\n");
}

function formatFile(file: string, items: readonly CoveredItem[]): string {
  const lines = [...Map.groupBy(items, ({ line }) => line)].sort(([a], [b]) => a - b);
  const times = ({ covered, by }: CoveredItem) => (covered ? by.length : 0);
  const branches = lines.flatMap(([line, all]) => all.map((item, index) => `BRDA:${line},0,${index},${times(item)}`));
  const hits = lines.map(([line, all]) => [line, Math.max(...all.map(times))] as const);
  return [
    "TN:",
    `SF:${file}`,
    ...branches,
    `BRF:${items.length}`,
    `BRH:${items.filter(({ covered }) => covered).length}`,
    ...hits.map(([line, count]) => `DA:${line},${count}`),
    `LF:${hits.length}`,
    `LH:${hits.filter(([, count]) => count > 0).length}`,
    "end_of_record",
  ].join("\n");
}
