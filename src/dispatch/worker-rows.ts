import type { PostgresDatabase, PostgresRow } from "../journal/postgres-database.ts";
import { BatonError } from "../vocabulary/errors.ts";

/** What a worker says of itself when it starts. */
export interface WorkerAbout {
  /** The crews that it can run. */
  readonly crews: readonly string[];
  /** The crews that it was given and cannot run, each with the reason. */
  readonly lacking: Readonly<Record<string, string>>;
  readonly queues: readonly string[];
}

/** A process that runs what others have queued. Times are the database's, in milliseconds. */
export interface WorkerRow extends WorkerAbout {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly runs: readonly WorkedRun[];
  readonly startedAt: number;
  readonly seenAt: number;
  readonly leaseMs: number;
  readonly isDraining: boolean;
  /** Whether it was seen within its lease. */
  readonly isAlive: boolean;
}

/** A run that a worker has under way. */
export interface WorkedRun {
  readonly runId: string;
  readonly crew: string;
  readonly since: number;
}

/** Those who say of themselves that they live. */
export interface WorkerRows {
  /** Refused with `worker-active` while another one of the name lives. */
  announce(
    worker: Pick<WorkerRow, "id" | "name" | "host" | "pid" | "version" | "leaseMs"> & WorkerAbout,
  ): Promise<void>;
  /** Says that a worker lives, and what it does. Resolves to whether it is to finish. */
  beat(id: string, runs: readonly WorkedRun[]): Promise<{ readonly isDraining: boolean }>;
  leave(id: string): Promise<void>;
  /** All that have not left, the oldest first. */
  list(): Promise<{ readonly workers: readonly WorkerRow[]; readonly now: number }>;
  /** Asks the worker of a name, or of an id, to finish its runs and end. Resolves to whether there is one. */
  drain(name: string): Promise<WorkerRow | undefined>;
}

const NOW = "extract(epoch FROM clock_timestamp())::float8 * 1000";
const COLUMNS = `id, name, host, pid, version, about, runs, started_at, seen_at, lease_ms, is_draining,
  seen_at + lease_ms >= ${NOW} AS is_alive`;
/** Rows of workers that ended are of no use to anybody after this time. */
const FORGOTTEN_MS = 3_600_000;

export function createWorkerRows({ schema, schemaName, query, transact }: PostgresDatabase): WorkerRows {
  const table = `${schema}.workers`;
  const list = async () => {
    const rows = await query({
      text: `SELECT ${NOW} AS now, ${COLUMNS} FROM ${table} WHERE ended_at IS NULL ORDER BY started_at, name`,
    });
    return { workers: rows.map(toWorker), now: Number(rows[0]?.["now"] ?? Date.now()) };
  };
  return {
    list,
    announce: ({ id, name, host, pid, version, leaseMs, ...about }) =>
      transact(async (send) => {
        await send({
          text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
          values: [`baton workers ${schemaName}`],
        });
        const [other] = await send({
          text: `SELECT ${COLUMNS} FROM ${table} WHERE name = $1 AND id <> $2 AND ended_at IS NULL AND seen_at + lease_ms >= ${NOW}`,
          values: [name, id],
        });
        if (other !== undefined) throw explainActive(toWorker(other));
        await send({ text: `DELETE FROM ${table} WHERE ended_at < ${NOW} - ${FORGOTTEN_MS}` });
        await send({
          text: `INSERT INTO ${table} (id, name, host, pid, version, about, runs, started_at, seen_at, lease_ms)
            VALUES ($1, $2, $3, $4, $5, $6, '[]', ${NOW}, ${NOW}, $7) ON CONFLICT (id) DO NOTHING`,
          values: [id, name, host, pid, version, JSON.stringify(about), leaseMs],
        });
      }),
    async beat(id, runs) {
      const [row] = await query({
        name: `beat ${schema}`,
        text: `UPDATE ${table} SET seen_at = ${NOW}, runs = $2, ended_at = NULL WHERE id = $1 RETURNING is_draining`,
        values: [id, JSON.stringify(runs)],
      });
      return { isDraining: row?.["is_draining"] === true };
    },
    async leave(id) {
      await query({ text: `UPDATE ${table} SET ended_at = ${NOW}, runs = '[]' WHERE id = $1`, values: [id] });
    },
    async drain(name) {
      const [row] = await query({
        text: `UPDATE ${table} SET is_draining = true WHERE (name = $1 OR id = $1) AND ended_at IS NULL RETURNING ${COLUMNS}`,
        values: [name],
      });
      return row && toWorker(row);
    },
  };
}

function explainActive({ name, host, pid }: WorkerRow): BatonError {
  return new BatonError(
    "worker-active",
    `a worker called '${name}' is running on ${host} (process ${pid}): give this one another name with --name, or end that one with baton drain ${name}`,
  );
}

/** The schema gives the columns their types, and only this file writes them. */
function toWorker(row: PostgresRow): WorkerRow {
  const about = JSON.parse(String(row["about"])) as WorkerAbout;
  return {
    ...about,
    id: row["id"] as string,
    name: row["name"] as string,
    host: row["host"] as string,
    pid: row["pid"] as number,
    version: row["version"] as string,
    runs: JSON.parse(String(row["runs"])) as readonly WorkedRun[],
    startedAt: row["started_at"] as number,
    seenAt: row["seen_at"] as number,
    leaseMs: row["lease_ms"] as number,
    isDraining: row["is_draining"] as boolean,
    isAlive: row["is_alive"] as boolean,
  };
}
