import type { StoredRun } from "../../journal/store.ts";
import type { Paused } from "../../vocabulary/pause.ts";
import { cleanLine } from "../live/clean-text.ts";
import { formatDuration, formatNumber } from "../live/format-figures.ts";
import type { Terminal } from "../terminal.ts";
import { formatShortDate } from "./format-date.ts";
import { chooseMark, colourByStatus, isInterrupted } from "./status-mark.ts";
import { tableLines } from "./table-lines.ts";

/** A run as it is listed: with the end of its pause, where it has one. */
export type ListedRun = StoredRun & Pick<Paused, "expiresAt" | "onExpiry">;

/** Letters of an id that tell runs apart; `run_` and eight digits do, but for very many runs. */
const SHORTEST_ID = 12;

/** Runs in a line each. */
export function runTable(runs: readonly ListedRun[], style: Terminal["style"], now: number, columns: number): string[] {
  const cells = (of: (run: ListedRun) => string) => runs.map(of);
  const dim = (text: string) => style("dim", text);
  const length = columns === Number.POSITIVE_INFINITY ? columns : findDistinctLength(runs);
  const table = [
    { title: "run", cells: cells(({ runId }) => runId.slice(0, length)) },
    { title: "crew", cells: cells(({ crew }) => cleanLine(crew)), least: 6 },
    {
      title: "status",
      cells: cells((run) => describeStatus(run, now)),
      paint: (text: string, row: number) => inColour(text, runs[row]),
    },
    { title: "started", cells: cells(({ startedAt }) => formatShortDate(startedAt, now)), isNumber: true, rank: 2 },
    { title: "time", cells: cells((run) => formatRunTime(run, now)), isNumber: true },
    { title: "events", cells: cells(({ events }) => formatNumber(events)), isNumber: true, rank: 1, paint: dim },
    { title: "input", cells: cells(({ input }) => cleanLine(input)), least: 10, rank: 3, paint: dim },
  ];
  return tableLines(table, columns, style);

  function inColour(text: string, run: ListedRun | undefined): string {
    return run === undefined ? text : colourByStatus(isInterrupted(run) ? "cancelled" : run.status, text, style);
  }
}

/** A pause that ends without an answer says when. */
function describeStatus(run: ListedRun, now: number): string {
  if (isInterrupted(run)) return "■ interrupted";
  const status = `${chooseMark(run.status)} ${run.status}`;
  if (run.expiresAt === undefined) return status;
  const end = Date.parse(run.expiresAt);
  return end <= now ? `${status}, expired` : `${status} until ${formatShortDate(end, now)}`;
}

/** How long it took; of one that waits, how long it has waited. */
function formatRunTime(run: ListedRun, now: number): string {
  const { status, startedAt, updatedAt, isOwned } = run;
  if (status === "paused") return formatDuration(Math.max(0, now - updatedAt), true);
  const isGrowing = status === "running" && isOwned;
  return formatDuration(Math.max(0, (isGrowing ? now : updatedAt) - startedAt), isGrowing);
}

function findDistinctLength(runs: readonly ListedRun[]): number {
  let length = SHORTEST_ID;
  while (new Set(runs.map(({ runId }) => runId.slice(0, length))).size < new Set(runs.map(({ runId }) => runId)).size)
    length++;
  return length;
}
