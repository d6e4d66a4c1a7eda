import { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { type Link, listLinks } from "./event-chain.ts";
import type { EventRecord } from "./event-record.ts";
import type { HandoffRecord } from "./handoff-record.ts";
import type { PostgresRun } from "./postgres-runs.ts";
import { append } from "./run-row.ts";
import type { Lease } from "./store.ts";

/** One call of `append`. */
export interface Write {
  readonly lease: Lease;
  readonly records: readonly EventRecord[];
  readonly handoffs: readonly HandoffRecord[];
  /** Until when it may be tried again: while the lease is safely held. */
  readonly until: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** All writes to one run that go into one statement. */
export interface Entry {
  readonly before: PostgresRun & { readonly number: number };
  readonly after: PostgresRun;
  readonly links: readonly Link[];
  readonly handoffs: readonly HandoffRecord[];
  readonly writes: readonly Write[];
}

export interface Plan {
  readonly entries: readonly Entry[];
  /** Writes for which the rows must be read first. */
  readonly undecided: readonly Write[];
  readonly refused: readonly (readonly [write: Write, error: BatonError])[];
}

/**
 * Decides on writes by the rows of their runs. Where the rows are those that this process remembers, nothing is refused yet: another
 * process may have changed them.
 */
export function planAppends(
  writes: readonly Write[],
  rows: ReadonlyMap<RunId, PostgresRun>,
  areRemembered: boolean,
): Plan {
  const plans = [...Map.groupBy(writes, ({ lease }) => lease.runId)].map(([runId, ofRun]): Plan => {
    const plan = planRun(rows.get(runId), ofRun);
    return areRemembered && plan.refused.length > 0 ? { entries: [], undecided: ofRun, refused: [] } : plan;
  });
  return {
    entries: plans.flatMap(({ entries }) => entries),
    undecided: plans.flatMap(({ undecided }) => undecided),
    refused: plans.flatMap(({ refused }) => refused),
  };
}

function planRun(before: PostgresRun | undefined, writes: readonly Write[]): Plan {
  const refused: [Write, BatonError][] = [];
  const accepted: Write[] = [];
  const links: Link[] = [];
  let after = before;
  for (const write of writes) {
    try {
      const next = append(after, write.lease, write.records);
      const added = listLinks(next.chain, write.records);
      after = { ...next, chain: added.at(-1)?.chain ?? next.chain };
      links.push(...added);
      accepted.push(write);
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      refused.push([write, error]);
    }
  }
  if (before?.number === undefined || after === undefined || accepted.length === 0)
    return { entries: [], undecided: [], refused };
  const handoffs = accepted.flatMap((write) => write.handoffs);
  return {
    entries: [{ before: { ...before, number: before.number }, after, links, handoffs, writes: accepted }],
    undecided: [],
    refused,
  };
}
