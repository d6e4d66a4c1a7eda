import type { RunId } from "../vocabulary/ids.ts";
import type { PostgresRun } from "./postgres-runs.ts";
import type { Lease } from "./store.ts";

/** The runs that this process holds: their rows as it knows them, and until when their leases are safely held. */
export interface HeldRuns {
  readonly rows: ReadonlyMap<RunId, PostgresRun>;
  /** A run was taken, or its lease renewed, by a call that began at `since` (a time of `performance.now()`). */
  hold(run: PostgresRun, leaseMs: number, since: number): void;
  extend(lease: Lease, leaseMs: number, since: number): void;
  /** Events were added. */
  note(run: PostgresRun): void;
  drop(lease: Lease): void;
  /** Until when calls with this lease may be tried again; undefined if this process has not taken it. */
  safeUntil(lease: Lease): number | undefined;
}

/** The part of a lease at its end in which nothing is tried again, since a statement takes time. */
const SAFETY = 0.1;

export function createHeldRuns(): HeldRuns {
  const rows = new Map<RunId, PostgresRun>();
  const safe = new Map<RunId, number>();
  const isKnown = ({ runId, epoch }: Pick<PostgresRun, "runId" | "epoch">) => rows.get(runId)?.epoch === epoch;
  return {
    rows,
    hold(run, leaseMs, since) {
      rows.set(run.runId, run);
      safe.set(run.runId, since + leaseMs * (1 - SAFETY));
    },
    extend(lease, leaseMs, since) {
      if (isKnown(lease)) safe.set(lease.runId, since + leaseMs * (1 - SAFETY));
    },
    note(run) {
      if (isKnown(run)) rows.set(run.runId, run);
    },
    drop(lease) {
      if (!isKnown(lease)) return;
      rows.delete(lease.runId);
      safe.delete(lease.runId);
    },
    safeUntil: (lease) => (isKnown(lease) ? safe.get(lease.runId) : undefined),
  };
}
