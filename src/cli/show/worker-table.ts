import type { QueueFigures } from "../../dispatch/queue-figures.ts";
import type { WorkerRow } from "../../dispatch/worker-rows.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import { cleanLine } from "../live/clean-text.ts";
import { formatDuration, formatNumber } from "../live/format-figures.ts";
import type { Terminal } from "../terminal.ts";
import { tableLines } from "./table-lines.ts";

/** How many runs of a worker are named. */
const SHOWN_RUNS = 3;
/** Letters of an id that usually tell runs apart. */
const SHORT_ID = 12;

/** Workers in a line each. */
export function workerTable(
  workers: readonly WorkerRow[],
  style: Terminal["style"],
  now: number,
  columns: number,
): string[] {
  const cells = (of: (worker: WorkerRow) => string) => workers.map(of);
  const dim = (text: string) => style("dim", text);
  const table = [
    { title: "worker", cells: cells(({ name }) => cleanLine(name)), least: 8 },
    { title: "state", cells: cells((worker) => describeState(worker, now)) },
    { title: "runs", cells: cells(({ runs }) => formatNumber(runs.length)), isNumber: true },
    { title: "since", cells: cells(({ startedAt }) => formatDuration(now - startedAt, true)), isNumber: true, rank: 2 },
    { title: "crews", cells: cells(({ crews }) => cleanLine(crews.join(", "))), least: 8, rank: 3 },
    { title: "runs now", cells: cells((worker) => listRuns(worker)), least: 10, rank: 1, paint: dim },
  ];
  return tableLines(table, columns, style);
}

/** Queues in a line each. */
export function queueTable(queues: readonly QueueFigures[], style: Terminal["style"], columns: number): string[] {
  const cells = (of: (queue: QueueFigures) => string) => queues.map(of);
  const table = [
    { title: "queue", cells: cells(({ queue }) => cleanLine(queue)), least: 8 },
    { title: "waiting", cells: cells(({ waiting }) => formatNumber(waiting)), isNumber: true },
    { title: "running", cells: cells(({ running }) => formatNumber(running)), isNumber: true },
    {
      title: "oldest",
      cells: cells(({ oldestWaitS, waiting }) => (waiting === 0 ? "" : formatDuration(oldestWaitS * 1000))),
      isNumber: true,
    },
  ];
  return tableLines(table, columns, style);
}

function describeState({ isAlive, isDraining, seenAt }: WorkerRow, now: number): string {
  if (!isAlive) return `gone, last seen ${formatDuration(now - seenAt)} ago`;
  return isDraining ? "draining" : "running";
}

function listRuns({ runs }: WorkerRow): string {
  const shown = runs.slice(0, SHOWN_RUNS).map(({ runId, crew }) => `${runId.slice(0, SHORT_ID)} ${cleanLine(crew)}`);
  const left = runs.length - shown.length;
  return left > 0 ? `${shown.join(", ")}, and ${formatAmount(left, "other")}` : shown.join(", ");
}
