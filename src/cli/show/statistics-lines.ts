import type { HandoffQuery } from "../../journal/handoff-record.ts";
import type { Statistics } from "../../learning/describe-statistics.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import { cleanLine } from "../live/clean-text.ts";
import { formatDollars, formatDuration, formatNumber } from "../live/format-figures.ts";
import type { Terminal } from "../terminal.ts";
import { formatShortDate } from "./format-date.ts";
import { type Column, tableLines } from "./table-lines.ts";

type Style = Terminal["style"];
type Amounts = Pick<Statistics["agents"][number], "costUsd" | "priced" | "ms" | "handoffs">;
type Outcomes = Pick<Statistics["loops"][number], "handoffs" | "success">;

/** The tables of `baton stats`. Empty ones are left out. */
export function statisticsLines(stats: Statistics, style: Style, now: number, columns: number): string[] {
  const { paths, agents, loops, unmatchedInputs: unmatched } = stats;
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
    part("Agents, groups and crews that received handoffs", agents, [
      ...crewColumn(agents),
      { title: "name", cells: agents.map(({ to }) => cleanLine(to)), least: 8 },
      ...countColumns(agents, style),
      ...createAmountColumns(agents),
    ]),
    part("Loops", loops, [
      ...crewColumn(loops),
      { title: "loop", cells: loops.map(({ loop }) => cleanLine(loop)), least: 20 },
      ...countColumns(loops, style),
    ]),
    part("Unmatched inputs: no agent seems to fit them", unmatched, [
      ...crewColumn(unmatched),
      { title: "when", cells: unmatched.map(({ at }) => formatShortDate(at, now)), rank: 2 },
      { title: "why", cells: unmatched.map(({ unmatched: why = "" }) => reasons[why] ?? why) },
      { title: "run", cells: unmatched.map(({ runId }) => runId), least: 12, rank: 1 },
      { title: "input", cells: unmatched.map(({ input }) => cleanLine(input)), least: 20 },
    ]),
  ];
  return parts.flat().slice(0, -1);

  function part(title: string, rows: readonly unknown[], table: readonly Column[]): string[] {
    return rows.length === 0 ? [] : [style("bold", title), ...tableLines(table, columns, style), ""];
  }
}

const reasons: Readonly<Record<string, string>> = {
  low_confidence: "no agent fitted clearly",
  no_signal: "the agent gave no signal",
  max_handoffs: "reached max_handoffs",
  max_rounds: "reached max_rounds",
  feedback: "feedback: bad",
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

/** Cost and time are averages per handoff. */
function createAmountColumns(rows: readonly Amounts[]): Column[] {
  const cost = ({ costUsd, priced }: Amounts) => (costUsd === null ? "unknown" : formatDollars(costUsd / priced));
  return [
    { title: "cost", cells: rows.map(cost), isNumber: true, rank: 5 },
    { title: "time", cells: rows.map(({ ms, handoffs }) => formatDuration(ms / handoffs)), isNumber: true, rank: 4 },
  ];
}

/** The message for empty statistics: it says whether the filters, missing runs or uncounted runs are the reason. */
export function explainNothingKnown({ crew, from, to, since }: HandoffQuery, runs: number): string {
  if (from !== undefined || to !== undefined || since !== undefined) return "no handoffs match these filters";
  const whose = crew === undefined ? "" : ` of crew '${crew}'`;
  if (runs === 0) return `there are no runs${whose} yet; start one with baton run`;
  return `no handoffs${whose} are counted yet; --recount counts those of ${formatAmount(runs, "run")}`;
}
