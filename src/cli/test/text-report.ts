import type { ScenarioReport, ScenarioResults } from "../../scenario/play-scenarios.ts";
import { formatAnnotation } from "../github-annotation.ts";
import type { Terminal } from "../terminal.ts";

/** One scenario for people: whether it passed, what differs, what is odd. */
export function describeReport({ file, name, problems, notes }: ScenarioReport, style: Terminal["style"]): string {
  const noted = notes.map((note) => `\n  ${style("dim", note)}`).join("");
  if (problems.length === 0) return `${style("green", "✓")} ${name}${noted}`;
  const told = problems.map((problem) => `\n  ${problem}`).join("");
  return `${style("red", "✗")} ${name}  ${style("dim", file)}${told}${noted}`;
}

/** The failures as annotations of GitHub Actions. */
export function formatGithub({ scenarios }: ScenarioResults): string[] {
  return scenarios.flatMap(({ name: title, file, problems }) =>
    problems.map((problem) => formatAnnotation("error", { file, line: 1, title }, problem)),
  );
}

export function formatCount({ passed, failed }: Pick<ScenarioResults, "passed" | "failed">): string {
  return `${passed} passed, ${failed} failed`;
}
