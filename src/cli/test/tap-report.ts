import type { ScenarioReport, ScenarioResults } from "../../scenario/play-scenarios.ts";

/** The outcomes in the Test Anything Protocol, version 14. */
export function formatTap({ scenarios }: ScenarioResults): string {
  return ["TAP version 14", `1..${scenarios.length}`, ...scenarios.flatMap(formatPoint)].join("\n");
}

function formatPoint({ name, file, problems, notes, ms }: ScenarioReport, index: number): string[] {
  const point = `${problems.length === 0 ? "ok" : "not ok"} ${index + 1} - ${escapeDescription(name)}`;
  const details = [
    `file: ${JSON.stringify(file)}`,
    `duration_ms: ${ms}`,
    ...formatList("problems", problems),
    ...formatList("notes", notes),
  ];
  return [point, "  ---", ...details.map((line) => `  ${line}`), "  ..."];
}

function formatList(key: string, texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : [`${key}:`, ...texts.map((text) => `  - ${JSON.stringify(text)}`)];
}

/** A `#` would begin a directive, and a backslash an escape. */
function escapeDescription(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\#]/g, (character) => `\\${character}`);
}
