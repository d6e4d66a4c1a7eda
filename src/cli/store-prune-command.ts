import type { StoredRun } from "../journal/store.ts";
import { listPrunable, pruneRuns } from "../library/delete-runs.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { runTable } from "./show/run-table.ts";
import { countColumns, exitCodes, type Terminal } from "./terminal.ts";
import { type StoreOptions, withStore } from "./with-run.ts";

export interface PruneCommandOptions extends StoreOptions {
  /** How long ago the last event of a run is at least, in milliseconds. */
  readonly before: number;
  readonly keepPaused?: boolean;
  readonly yes?: boolean;
}

/** `baton store prune`: deletes old runs; without `--yes`, it only says which. */
export async function prune(options: PruneCommandOptions, terminal: Terminal, now = Date.now()): Promise<number> {
  return withStore(options, terminal, async (store) => {
    const { keepPaused = false, yes = false, json = false } = options;
    const old = { before: now - options.before, keepPaused };
    const runs = await listPrunable(store, old);
    if (yes && runs.length > 0) await pruneRuns(store, old);
    if (json) terminal.print(JSON.stringify({ deleted: yes, runs }, undefined, 2));
    else if (runs.length === 0) terminal.print("No runs are that old.");
    else if (yes) terminal.print(`Deleted ${formatAmount(runs.length, "run")}.`);
    else listRuns(runs, terminal, now);
    return exitCodes.completed;
  });
}

function listRuns(runs: readonly StoredRun[], terminal: Terminal, now: number): void {
  terminal.print(runTable(runs, terminal.style, now, countColumns(terminal)).join("\n"));
  const paused = runs.filter(({ status }) => status === "paused").length;
  const waiting =
    paused === 1
      ? " 1 of them waits for an answer (--keep-paused keeps it)."
      : ` ${paused} of them wait for an answer (--keep-paused keeps those).`;
  terminal.note(
    `${formatAmount(runs.length, "run")} would be deleted.${paused === 0 ? "" : waiting} Add --yes to delete.`,
  );
}
