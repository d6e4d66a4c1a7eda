import type { RunResult } from "../../views/run-result.ts";
import type { Spending } from "../../views/spending.ts";
import { addUsd } from "../../vocabulary/bill.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import { wrap } from "../live/cells.ts";
import { cleanLine } from "../live/clean-text.ts";
import { formatCount, formatDollars } from "../live/format-figures.ts";
import type { Terminal } from "../terminal.ts";
import { formatCost } from "./format-cost.ts";
import { formatSpeed } from "./format-speed.ts";
import { type Column, findWidest, tableLines } from "./table-lines.ts";

const BAR = 10;

/** What a run took, by agent and model, and in all. */
export function costLines(
  spendings: readonly Spending[],
  { usage, cost }: Pick<RunResult, "usage" | "cost">,
  style: Terminal["style"],
  columns: number,
): string[] {
  if (spendings.length === 0) return ["no model was called"];
  const calls = spendings.reduce((sum, { figures }) => sum + figures.calls, 0);
  const failed = spendings.reduce((sum, each) => sum + each.failed, 0);
  const all: readonly Spending[] = [
    ...spendings,
    { agent: "in all", model: "", figures: { calls, usage, cost }, failed },
  ];
  const inBold = (text: string, row: number) => (row === spendings.length ? style("bold", text) : text);
  const column = (title: string, of: (spending: Spending) => string, more: Partial<Column> = {}): Column => ({
    title,
    cells: all.map(of),
    paint: inBold,
    ...more,
  });
  const number = (title: string, of: (spending: Spending) => number | null, more: Partial<Column> = {}) =>
    column(title, (spending) => formatCount(of(spending)), { isNumber: true, ...more });
  /** What the provider never counted needs no column. */
  const rare = (title: string, rank: number, of: (spending: Spending) => number | null) =>
    all.some((spending) => (of(spending) ?? 0) > 0) ? [number(title, of, { rank })] : [];
  /** Nor does what nobody measured. */
  const measured = (title: string, of: (spending: Spending) => string) =>
    all.some((spending) => of(spending) !== "") ? [column(title, of, { rank: 0, isNumber: true })] : [];
  // Of what nobody can add up, the tokens say who took how much.
  const computeShare = ({ figures }: Spending) =>
    cost.usd === null || cost.usd === 0
      ? (figures.usage.total ?? 0) / (usage.total ?? 1)
      : (figures.cost.usd ?? 0) / cost.usd;
  const shares = column(
    cost.usd === null ? "of the tokens" : "share",
    (row) => (row.model === "" ? "" : drawBar(computeShare(row))),
    { rank: 1, paint: (text) => style("cyan", text) },
  );
  const table = [
    column("agent", ({ agent }) => cleanLine(agent), { least: 8 }),
    column("model", ({ model }) => cleanLine(model), { least: 8, rank: 5, paint: (text) => style("dim", text) }),
    number("calls", ({ figures }) => figures.calls, { rank: 6 }),
    ...rare("failed", 0, (spending) => spending.failed),
    number("input", ({ figures }) => figures.usage.input),
    number("output", ({ figures }) => figures.usage.output),
    ...rare("cached", 3, ({ figures }) => figures.usage.cacheRead),
    ...rare("stored", 2, ({ figures }) => figures.usage.cacheWrite),
    ...rare("reasoning", 4, ({ figures }) => figures.usage.reasoning),
    ...measured("first", (spending) => formatSpeed(spending).first),
    ...measured("tokens/s", (spending) => formatSpeed(spending).perSecond),
    column("cost", ({ figures }) => formatCost(figures.cost), { isNumber: true }),
    ...(usage.total === 0 || usage.total === null ? [] : [shares]),
  ];
  const lines = tableLines(table, columns, style);
  return [
    ...lines.slice(0, -1),
    style("dim", "─".repeat(findWidest(lines))),
    ...lines.slice(-1),
    ...unknownLines(spendings, style, columns),
  ];
}

/** `35% ███▌`. */
function drawBar(share: number): string {
  const eighths = Math.round(share * BAR * 8);
  const bar = "█".repeat(Math.floor(eighths / 8)) + (" ▏▎▍▌▋▊▉"[eighths % 8] ?? "").trim();
  return `${`${Math.round(share * 100)}%`.padStart(4)} ${bar}`;
}

/** Which costs nobody knows, and what is known of the rest. */
function unknownLines(spendings: readonly Spending[], style: Terminal["style"], columns: number): string[] {
  const unknown = new Map<string, number>();
  for (const { model, figures } of spendings)
    if (figures.cost.usd === null) unknown.set(model, (unknown.get(model) ?? 0) + figures.cost.unknownCalls);
  if (unknown.size === 0) return [];
  const known = spendings.reduce((sum, { figures }) => addUsd(sum, figures.cost.usd ?? 0), 0);
  const names = [...unknown]
    .map(([model, calls]) => `${formatAmount(calls, "call")} of ${cleanLine(model)}`)
    .join(", ");
  const rest = known === 0 ? "" : `; the other rows cost ${formatDollars(known)}`;
  const said = wrap(`! the price or the tokens are unknown: ${names}${rest}`, columns);
  return ["", ...said.map((line) => style("yellow", line))];
}
