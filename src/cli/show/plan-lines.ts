import type { Figure } from "../../flow/plan/measure.ts";
import type { LikelyCase, Plan } from "../../flow/plan/plan.ts";
import type { CallGroup } from "../../flow/plan/work.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import { cleanLine } from "../live/clean-text.ts";
import { formatDollars, formatDuration, formatNumber } from "../live/format-figures.ts";
import type { Terminal } from "../terminal.ts";
import { tableLines } from "./table-lines.ts";

type Style = Terminal["style"];

const rows: readonly (readonly [figure: Figure, title: string])[] = [
  ["handoffs", "handoffs"],
  ["rounds", "answers"],
  ["modelCalls", "model calls"],
  ["toolCalls", "tool calls"],
  ["inputTokens", "input tokens"],
  ["outputTokens", "output tokens"],
  ["costUsd", "cost"],
  ["seconds", "time"],
];

/** `baton plan` on one screen: a verdict, the figures, how they add up, and what would lower them. */
export function planLines(plan: Plan, style: Style, columns: number): string[] {
  const { worst, likely, loops, deadEnds, unreachable, unknown, notes, firstQuota, suggestions } = plan;
  return [
    style("bold", writeVerdict(plan)),
    "",
    ...figureTable(plan, style, columns),
    ...(likely?.assumed === undefined ? [] : [`likely is an assumption: ${likely.assumed} (change it with --assume)`]),
    "",
    `worst path: ${writePath(worst.path)}; ends by ${worst.endsBy}`,
    ...sumLines(plan.sums, style),
    ...unknown.slice(0, SHOWN).map(({ agent, why }) => `unknown for ${cleanLine(agent)}: ${cleanLine(why)}`),
    ...more(unknown.length - SHOWN, "unknown"),
    ...loops
      .slice(0, SHOWN)
      .map(({ agents, endsBy }) => `loop ${agents.map(cleanLine).join(" → ")}: only ${endsBy} ends it`),
    ...more(loops.length - SHOWN, "loops"),
    ...(deadEnds.length === 0 ? [] : [`ends nowhere: ${deadEnds.map(cleanLine).join(", ")}`]),
    ...(unreachable.length === 0 ? [] : [`never reached: ${unreachable.map(cleanLine).join(", ")}`]),
    ...(firstQuota === undefined
      ? []
      : [
          `quota that binds first: ${firstQuota.key} of ${cleanLine(firstQuota.of)} at ${formatNumber(firstQuota.cap)}, where ${formatNumber(Math.ceil(firstQuota.worst))} would be possible`,
        ]),
    ...notes,
    ...(suggestions.length === 0 ? [] : ["", style("bold", "What would lower it most")]),
    ...suggestions.map(
      ({ key, from, to, savesUsd, savesCalls }) =>
        `  ${key} from ${from === null ? "unset" : formatNumber(from)} to ${formatNumber(to)} saves ${savesUsd === null ? `${formatNumber(savesCalls)} model calls` : formatDollars(savesUsd)}`,
    ),
  ];
}

const SHOWN = 4;

function more(count: number, what: string): string[] {
  return count > 0 ? [`… and ${formatNumber(count)} more ${what} (--json lists all)`] : [];
}

/** The answer to "what may this cost me?" in one sentence. */
function writeVerdict({ crew, worst, atLeast, unknown }: Plan): string {
  const { costUsd, modelCalls, endsBy } = worst;
  const calls = modelCalls === null ? "any number of model calls" : `at most ${formatAmount(modelCalls, "model call")}`;
  const ended = endsBy.startsWith("max_") ? ` until ${endsBy} ends it` : "";
  if (costUsd !== null) return `${cleanLine(crew)}: a run costs at most ${formatDollars(costUsd)}: ${calls}${ended}.`;
  const agents = [...new Set(unknown.map(({ agent }) => cleanLine(agent)))];
  const named =
    agents.length > 3 ? `${agents.slice(0, 3).join(", ")} and ${agents.length - 3} more` : agents.join(", ");
  const known =
    Number.isFinite(atLeast.costUsd) && atLeast.costUsd > 0
      ? `may be more than ${formatDollars(atLeast.costUsd)}`
      : "is unknown";
  return `${cleanLine(crew)}: the cost of a run ${known}, because of ${named}; ${calls}${ended}.`;
}

function figureTable({ worst, likely, atLeast }: Plan, style: Style, columns: number): string[] {
  const shown = (figure: Figure, value: number | null | undefined) =>
    value === null || value === undefined ? "unknown" : formatFigure(figure, value);
  const worstCell = ([figure]: (typeof rows)[number]) => {
    if (worst[figure] !== null) return shown(figure, worst[figure]);
    return Number.isFinite(atLeast[figure]) ? `at least ${formatFigure(figure, atLeast[figure])}` : "no bound";
  };
  const table = [
    { title: "", cells: rows.map(([, title]) => title) },
    { title: "worst", cells: rows.map(worstCell), isNumber: true },
    ...(likely === null ? [] : likelyColumns(likely, shown)),
  ];
  return tableLines(table, columns, style);
}

function likelyColumns(likely: LikelyCase, shown: (figure: Figure, value: number | null | undefined) => string) {
  const { p90 } = likely;
  const title = likely.runs === 0 ? "likely" : `median of ${formatAmount(likely.runs, "run")}`;
  const cells = rows.map(([figure]) =>
    figure === "seconds" && likely.seconds === null ? "" : shown(figure, likely[figure]),
  );
  const median = { title, cells, isNumber: true };
  if (p90 === undefined) return [median];
  return [
    median,
    { title: "9 of 10 below", cells: rows.map(([figure]) => shown(figure, p90[figure])), isNumber: true },
  ];
}

function formatFigure(figure: Figure, value: number): string {
  if (figure === "costUsd") return formatDollars(value);
  return figure === "seconds" ? formatDuration(value * 1000) : formatNumber(Math.ceil(value));
}

/** A path on one line, with what comes again and again told once. */
export function writePath(path: readonly string[]): string {
  const names = path.map(cleanLine);
  const shown = names.length > 12 ? [...names.slice(0, 9), `… ${names.length - 11} more …`, ...names.slice(-2)] : names;
  return shown.join(" → ") || "(nobody answers)";
}

const SUMS = 6;

/** How the worst comes together, the largest part first. */
function sumLines(sums: readonly CallGroup[], style: Style): string[] {
  const weight = ({ calls, inputTokens, outputTokens, costUsd }: CallGroup) =>
    costUsd ?? (calls * (inputTokens + outputTokens)) / 1e9;
  const sorted = sums.toSorted((a, b) => weight(b) - weight(a));
  const lines = sorted.slice(0, SUMS).map(({ agent, calls, inputTokens, outputTokens, costUsd }) => {
    const each = `(${formatNumber(Math.ceil(inputTokens))} in + ${formatNumber(outputTokens)} out)`;
    const usd = costUsd === undefined ? "unknown" : formatDollars(costUsd);
    return `  ${formatNumber(calls)} calls × ${each}  ${cleanLine(agent)}  ${style("dim", usd)}`;
  });
  const rest = sorted.slice(SUMS);
  if (rest.length === 0) return lines;
  const calls = rest.reduce((sum, group) => sum + group.calls, 0);
  const input = rest.reduce((sum, group) => sum + group.calls * group.inputTokens, 0);
  const output = rest.reduce((sum, group) => sum + group.calls * group.outputTokens, 0);
  return [
    ...lines,
    `  ${formatNumber(calls)} smaller calls: ${formatNumber(Math.ceil(input))} in + ${formatNumber(output)} out`,
  ];
}
