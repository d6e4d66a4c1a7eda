import { findQueueTables, type QueueFigures, readQueueFigures } from "../dispatch/queue-figures.ts";
import { createWorkerRows, type WorkerRow } from "../dispatch/worker-rows.ts";
import type { PostgresDatabase } from "../journal/postgres-database.ts";
import { findPostgresPort } from "../journal/postgres-port.ts";
import type { Store } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { findRoot, openExistingStore } from "./open-store.ts";
import { explain } from "./run-command.ts";
import { queueTable, workerTable } from "./show/worker-table.ts";
import { countColumns, exitCodes, type Terminal } from "./terminal.ts";

export interface WorkersOptions {
  readonly json?: boolean;
  readonly root?: string;
}

/** `baton workers`: who runs what is queued, and how much waits. */
export async function listWorkers(options: WorkersOptions, terminal: Terminal): Promise<number> {
  return withDatabase(options, terminal, async (database) => {
    const tables = await findQueueTables(database);
    const queues = tables === undefined ? [] : await readQueueFigures(tables);
    const { workers, now } = await createWorkerRows(database).list();
    if (options.json) terminal.print(JSON.stringify({ workers, queues }, undefined, 2));
    else tell(workers, queues, now, terminal);
    return exitCodes.completed;
  });
}

function tell(workers: readonly WorkerRow[], queues: readonly QueueFigures[], now: number, terminal: Terminal): void {
  const columns = countColumns(terminal);
  if (workers.length > 0) terminal.print(workerTable(workers, terminal.style, now, columns).join("\n"));
  const busy = queues.filter(({ waiting, running }) => waiting + running > 0);
  if (busy.length > 0) terminal.print(["", ...queueTable(busy, terminal.style, columns)].join("\n"));
  for (const { name, lacking } of workers)
    for (const [crew, why] of Object.entries(lacking)) terminal.note(`${name} does not run '${crew}': ${why}`);
  if (workers.some(({ isAlive }) => isAlive)) return;
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  const left = waiting === 0 ? "" : `, and ${formatAmount(waiting, "run")} wait${waiting === 1 ? "s" : ""}`;
  terminal.note(`no worker is running${left}: start one with baton worker <crews> --store …`);
}

/** `baton drain`: asks a worker to finish its runs and end. */
export async function drain(name: string, options: WorkersOptions, terminal: Terminal): Promise<number> {
  return withDatabase(options, terminal, async (database) => {
    const rows = createWorkerRows(database);
    const worker = await rows.drain(name);
    if (worker === undefined) {
      const names = (await rows.list()).workers.map((each) => each.name);
      const known = names.length === 0 ? "no worker is running" : `there are ${names.join(", ")}`;
      throw new BatonError("unknown-worker", `there is no worker called '${name}': ${known}`);
    }
    const { runs, isAlive } = worker;
    if (options.json) terminal.print(JSON.stringify(worker, undefined, 2));
    else if (!isAlive) terminal.print(`${name} does not answer: the others take its runs`);
    else if (runs.length === 0) terminal.print(`${name} takes no more runs, and ends`);
    else
      terminal.print(
        `${name} takes no more runs, and ends when ${formatAmount(runs.length, "run")} of it ended or paused`,
      );
    return exitCodes.completed;
  });
}

async function withDatabase(
  options: WorkersOptions,
  terminal: Terminal,
  go: (database: PostgresDatabase) => Promise<number>,
): Promise<number> {
  let store: Store | undefined;
  try {
    store = await openExistingStore(options.root ?? findRoot(".", terminal), terminal);
    const port = findPostgresPort(store);
    if (port === undefined)
      throw new BatonError(
        "bad-store",
        "workers share a store in PostgreSQL, and there is none here: give --store postgres://user@host/database",
      );
    return await go(port.database);
  } catch (error) {
    if (error instanceof BatonError) return explain(error, {}, terminal);
    throw error;
  } finally {
    await store?.close();
  }
}
