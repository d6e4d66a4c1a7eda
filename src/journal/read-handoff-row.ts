import { roundUsd } from "../vocabulary/bill.ts";
import { toRunId } from "../vocabulary/ids.ts";
import type { HandoffPath, OutcomeCounts, StoredHandoff } from "./handoff-record.ts";

/** A row of handoffs, or of sums of them, as every database with the same columns returns it. */
type HandoffRow = Readonly<Record<string, unknown>>;

export function readPath(row: HandoffRow): HandoffPath {
  const from = String(row["source"]);
  return {
    crew: String(row["crew"]),
    from: from === "" ? undefined : from,
    to: String(row["target"]),
    // Baton wrote it from a path.
    via: String(row["via"]) as HandoffPath["via"],
  };
}

export function readCounts(row: HandoffRow): OutcomeCounts {
  const successes = Number(row["successes"]);
  return { handoffs: Number(row["handoffs"]), successes, failures: Number(row["known"]) - successes };
}

export function readAmounts(row: HandoffRow) {
  return {
    costUsd: roundUsd(Number(row["cost"])),
    priced: Number(row["priced"]),
    ms: Number(row["ms"]),
    lastAt: Number(row["last_at"]),
  };
}

export function toHandoff(row: HandoffRow): StoredHandoff {
  const { outcome, cost, loop, gap } = row;
  return {
    ...readPath(row),
    runId: toRunId(String(row["run_id"])),
    input: String(row["input"]),
    seq: Number(row["seq"]),
    at: Number(row["at"]),
    isSuccess: outcome === null ? undefined : outcome === 1,
    costUsd: cost === null ? undefined : Number(cost),
    ms: Number(row["ms"]),
    loop: loop === null ? undefined : String(loop),
    unmatched: gap === null ? undefined : String(gap),
  };
}
