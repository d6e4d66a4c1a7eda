import type { PostgresDatabase } from "../journal/postgres-database.ts";
import type { Dispatch } from "./open-dispatch.ts";
import { nameDispatchSchema } from "./prepare-tables.ts";
import { nameQueue } from "./segment.ts";

/** How a queue stands. */
export interface QueueFigures {
  readonly queue: string;
  readonly waiting: number;
  readonly running: number;
  /** How long the oldest run that is due has waited, in seconds. */
  readonly oldestWaitS: number;
  /** How long runs waited that began within the last five minutes, in seconds; undefined if none did. */
  readonly medianWaitS: number | undefined;
}

/** Where the queues are. */
export type QueueTables = Pick<Dispatch, "database" | "schema">;

const WINDOW_MS = 300_000;
const NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)";

/** How many runs wait for a worker. */
export async function countQueued({ database, schema }: QueueTables): Promise<number> {
  const [row] = await database.query({
    text: `SELECT count(*) AS count FROM ${schema}.workflow_status WHERE status IN ('ENQUEUED', 'DELAYED')`,
  });
  return Number(row?.["count"] ?? 0);
}

/** How many runs somebody has started that wait or are under way. */
export async function countStarted({ database, schema }: QueueTables, by: string): Promise<number> {
  const [row] = await database.query({
    text: `SELECT count(*) AS count FROM ${schema}.workflow_status
      WHERE status IN ('ENQUEUED', 'DELAYED', 'PENDING') AND authenticated_user = $1`,
    values: [by],
  });
  return Number(row?.["count"] ?? 0);
}

/** Every queue that has runs, or had some a moment ago. */
export async function readQueueFigures({ database, schema }: QueueTables): Promise<readonly QueueFigures[]> {
  const since = "greatest(created_at, coalesce(delay_until_epoch_ms, 0))";
  const rows = await database.query({
    text: `SELECT queue_name AS queue,
        count(*) FILTER (WHERE status IN ('ENQUEUED', 'DELAYED')) AS waiting,
        count(*) FILTER (WHERE status = 'PENDING') AS running,
        coalesce(max(${NOW_MS} - ${since}) FILTER (WHERE status = 'ENQUEUED'), 0)::float8 AS oldest,
        (percentile_cont(0.5) WITHIN GROUP (ORDER BY started_at_epoch_ms - ${since})
          FILTER (WHERE started_at_epoch_ms IS NOT NULL))::float8 AS median
      FROM ${schema}.workflow_status
      WHERE queue_name LIKE $1
        AND (status IN ('ENQUEUED', 'DELAYED', 'PENDING') OR started_at_epoch_ms > ${NOW_MS} - $2::float8)
      GROUP BY queue_name ORDER BY queue_name`,
    values: [`${nameQueue("")}%`, WINDOW_MS],
  });
  return rows.map((row) => ({
    queue: String(row["queue"]).slice(nameQueue("").length),
    waiting: Number(row["waiting"]),
    running: Number(row["running"]),
    oldestWaitS: Number(row["oldest"]) / 1000,
    medianWaitS: row["median"] === null ? undefined : Math.max(0, Number(row["median"])) / 1000,
  }));
}

/** How many runs were handed on from workers that were gone. */
export async function countRecovered({ database }: QueueTables): Promise<number> {
  const [row] = await database.query({
    text: `SELECT value FROM ${database.schema}.counters WHERE name = 'recovered'`,
  });
  return Number(row?.["value"] ?? 0);
}

/** The queues of a database; undefined as long as no server and no worker has made any. */
export async function findQueueTables(database: PostgresDatabase): Promise<QueueTables | undefined> {
  const schema = `"${nameDispatchSchema(database)}"`;
  const [row] = await database.query({
    text: "SELECT to_regclass($1) IS NOT NULL AS is_there",
    values: [`${schema}.workflow_status`],
  });
  return row?.["is_there"] === true ? { database, schema } : undefined;
}
