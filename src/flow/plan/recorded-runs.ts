import type { Figure } from "./measure.ts";
import type { LikelyCase } from "./plan.ts";

/** The figures of one run that was recorded. */
export interface RecordedRun {
  readonly figures: Readonly<Record<Figure, number | null>>;
  readonly path: readonly string[];
}

/** The middle of recorded runs, and what nine of ten stay below. A figure that some run does not know is null. */
export function summarizeRuns(runs: readonly RecordedRun[]): LikelyCase {
  const at = (share: number) => {
    const of = (figure: Figure) =>
      percentile(
        runs.map(({ figures }) => figures[figure]),
        share,
      );
    return {
      handoffs: of("handoffs"),
      rounds: of("rounds"),
      modelCalls: of("modelCalls"),
      toolCalls: of("toolCalls"),
      inputTokens: of("inputTokens"),
      outputTokens: of("outputTokens"),
      costUsd: of("costUsd"),
      seconds: of("seconds"),
    };
  };
  const calls = percentile(
    runs.map(({ figures }) => figures.modelCalls),
    0.5,
  );
  const typical = runs.find(({ figures }) => figures.modelCalls === calls) ?? runs[0];
  return { ...at(0.5), path: typical?.path ?? [], runs: runs.length, p90: at(0.9) };
}

/** The smallest figure that so large a share of the runs does not exceed. */
function percentile(figures: readonly (number | null)[], share: number): number | null {
  const known = figures.filter((figure) => figure !== null).sort((a, b) => a - b);
  if (known.length < figures.length) return null;
  return known[Math.max(0, Math.ceil(share * known.length) - 1)] ?? null;
}
