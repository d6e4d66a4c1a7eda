import { measureRunMs, type Progress } from "../../views/progress.ts";
import { isLimit, type RunResult } from "../../views/run-result.ts";
import type { StopReason } from "../../vocabulary/events.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import { wrap } from "./cells.ts";
import { cleanText } from "./clean-text.ts";
import { formatCount, formatDollars, formatDuration, formatNumber } from "./format-figures.ts";
import type { Look } from "./look.ts";

/** Why a run stopped, for people. */
const stopWords: Readonly<Record<StopReason, string>> = {
  signal: "a signal ended it",
  terminal: "the answer of an agent that ends the run",
  end_of_list: "no agent follows in the list of agents",
  answer: "nothing was left to do",
  max_handoffs: "the limit of handoffs was reached (max_handoffs)",
  max_rounds: "the limit of answers was reached (max_rounds)",
  max_crew_depth: "crews were nested too deeply (max_crew_depth)",
  timeout: "the time was up (timeout)",
  quota: "a quota was used up",
  error: "something failed",
  cancelled: "cancelled",
  pause: "waits for an answer",
};

/** How a run ended, and what it took. */
export function summaryLines(result: RunResult, progress: Progress, look: Look, columns: number): string[] {
  return [...outcomeLines(result, look, columns), "", ...rowLines(listRows(result, progress, look.now), look, columns)];
}

/** What a run took, in words by name. */
export function listRows(result: RunResult, progress: Progress, now: number): Readonly<Record<string, string>> {
  const until = result.endedAt === undefined ? (progress.pausedAt ?? now) : Date.parse(result.endedAt);
  const waited = progress.waitedMs < 1000 ? "" : `, and ${formatDuration(progress.waitedMs)} waiting for you`;
  const { input, output, total } = result.usage;
  return {
    path: result.path.join(" → "),
    handoffs: formatNumber(result.handoffs),
    tokens: total
      ? `${formatNumber(total)}, of which ${formatCount(input)} in and ${formatCount(output)} out`
      : formatCount(total),
    cost: formatCost(result),
    time: formatDuration(measureRunMs(progress, until)) + waited,
  };
}

/** Names in a column, and what belongs to each beside it. */
export function rowLines(rows: Readonly<Record<string, string>>, { style }: Pick<Look, "style">, columns: number) {
  const width = Math.max(10, ...Object.keys(rows).map((name) => name.length + 2));
  return Object.entries(rows).flatMap(([name, text]) =>
    wrap(text, columns - width - 2).map(
      (line, index) => `  ${style("dim", (index === 0 ? name : "").padEnd(width))}${line}`,
    ),
  );
}

type Outcome = Pick<RunResult, "status" | "stopReason" | "error" | "paused">;

/** How a run ended, behind a mark. */
export function outcomeLines(result: Outcome, { style }: Pick<Look, "style">, columns: number): string[] {
  const { status, stopReason, error, paused } = result;
  const why = stopReason === undefined ? "" : stopWords[stopReason];
  const lines = (mark: string, colour: "green" | "red" | "yellow" | "cyan", text: string) => {
    const [first = "", ...rest] = wrap(cleanText(text), columns - 2);
    return [`${style(colour, mark)} ${first}`, ...rest.map((line) => `  ${line}`)];
  };
  switch (status) {
    case "completed":
      if (isLimit(result)) return lines("■", "yellow", `stopped: ${error?.message ?? why}`);
      return lines("✓", "green", `completed: ${why}`);
    case "failed":
      return lines("✗", "red", `failed: ${error?.message ?? why}`);
    case "paused":
      return lines("‖", "yellow", `paused: ${paused?.agent} waits for an answer`);
    case "queued":
      return lines("◦", "cyan", "queued: it begins when it is its turn");
    case "cancelled":
      return lines("■", "yellow", status);
    case "running":
      return lines("▸", "cyan", status);
  }
}

function formatCost({ cost: { usd, unknownCalls } }: RunResult): string {
  return usd === null ? `unknown: ${formatAmount(unknownCalls, "call")} without a price` : formatDollars(usd);
}
