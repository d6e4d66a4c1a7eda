import type { HandoffQuery } from "../../journal/handoff-record.ts";
import type { Patterns } from "../../learning/describe-patterns.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import { cleanLine } from "../live/clean-text.ts";
import { formatDollars, formatDuration, formatNumber } from "../live/format-figures.ts";
import type { Terminal } from "../terminal.ts";
import { formatShortDate } from "./format-date.ts";
import { type Column, tableLines } from "./table-lines.ts";

type Style = Terminal["style"];
type Amounts = Pick<Patterns["agents"][number], "costUsd" | "priced" | "ms" | "handoffs">;
type Outcomes = Pick<Patterns["loops"][number], "handoffs" | "success">;

/** What handoffs came to: by path, by agent, loops, and inputs that nobody fitted. */
export function patternLines(patterns: Patterns, style: Style, now: number, columns: number): string[] {
  const { paths, agents, loops, gaps } = patterns;
  const crews = new Set(paths.map(({ crew }) => crew));
  const crewColumn = <Row extends { readonly crew: string }>(rows: readonly Row[]): Column[] =>
    crews.size > 1 ? [{ title: "crew", cells: rows.map(({ crew }) => cleanLine(crew)), least: 6, rank: 6 }] : [];
  const parts = [
    part("Paths", paths, [
      ...crewColumn(paths),
      { title: "from", cells: paths.map(({ from }) => cleanLine(from ?? "(start)")), least: 8 },
      { title: "to", cells: paths.map(({ to }) => cleanLine(to)), least: 8 },
      { title: "via", cells: paths.map(({ via }) => via), rank: 2 },
      ...countColumns(paths, style),
      ...createAmountColumns(paths),
    ]),
    part("Agents, groups and crews that were handed work", agents, [
      ...crewColumn(agents),
      { title: "name", cells: agents.map(({ to }) => cleanLine(to)), least: 8 },
      ...countColumns(agents, style),
      ...createAmountColumns(agents),
    ]),
    part("Loops", loops, [
      ...crewColumn(loops),
      { title: "way round", cells: loops.map(({ loop }) => cleanLine(loop)), least: 20 },
      ...countColumns(loops, style),
    ]),
    part("Gaps: inputs that nobody seems to have fitted", gaps, [
      ...crewColumn(gaps),
      { title: "when", cells: gaps.map(({ at }) => formatShortDate(at, now)), rank: 2 },
      { title: "why", cells: gaps.map(({ gap }) => reasons[gap ?? ""] ?? gap ?? "") },
      { title: "run", cells: gaps.map(({ runId }) => runId), least: 12, rank: 1 },
      { title: "input", cells: gaps.map(({ input }) => cleanLine(input)), least: 20 },
    ]),
  ];
  return parts.flat().slice(0, -1);

  function part(title: string, rows: readonly unknown[], table: readonly Column[]): string[] {
    return rows.length === 0 ? [] : [style("bold", title), ...tableLines(table, columns, style), ""];
  }
}

const reasons: Readonly<Record<string, string>> = {
  low_confidence: "no agent fitted clearly",
  no_signal: "no signal was given",
  max_handoffs: "passed on until max_handoffs",
  max_rounds: "went on until max_rounds",
  feedback: "the answer was bad",
};

/** `91 %  84–95`. */
function countColumns(rows: readonly Outcomes[], style: Style): Column[] {
  const rates = rows.map(({ success }) => success);
  const percent = (share: number) => Math.round(share * 100);
  return [
    { title: "handoffs", cells: rows.map(({ handoffs }) => formatNumber(handoffs)), isNumber: true },
    {
      title: "success",
      cells: rates.map((rate) => (rate === null ? "–" : `${percent(rate.expected)} %`)),
      isNumber: true,
      paint: (text, row) => inColour(text, rates[row]?.expected),
    },
    {
      title: "95 % sure",
      cells: rates.map((rate) => (rate === null ? "" : `${percent(rate.low)}–${percent(rate.high)}`)),
      rank: 3,
      paint: (text) => style("dim", text),
    },
  ];

  function inColour(text: string, share: number | undefined): string {
    if (share === undefined) return text;
    return style(share >= 0.85 ? "green" : share >= 0.5 ? "yellow" : "red", text);
  }
}

/** On the average of one handoff. */
function createAmountColumns(rows: readonly Amounts[]): Column[] {
  const cost = ({ costUsd, priced }: Amounts) => (costUsd === null ? "unknown" : formatDollars(costUsd / priced));
  return [
    { title: "cost", cells: rows.map(cost), isNumber: true, rank: 5 },
    { title: "time", cells: rows.map(({ ms, handoffs }) => formatDuration(ms / handoffs)), isNumber: true, rank: 4 },
  ];
}

/** What is said where there is nothing to show. */
export function explainNothingKnown({ crew, from, to, since }: HandoffQuery, runs: number): string {
  if (from !== undefined || to !== undefined || since !== undefined) return "there are no such handoffs";
  const whose = crew === undefined ? "" : ` of crew '${crew}'`;
  if (runs === 0) return `there are no runs${whose} yet; baton run makes one`;
  return `nothing is known of the handoffs${whose}; ${formatAmount(runs, "run")} can be counted with --recount`;
}
