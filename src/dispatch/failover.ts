import { DEFAULT_QUEUE } from "../vocabulary/queue-rule.ts";
import type { Dispatch } from "./open-dispatch.ts";
import { nameQueue } from "./segment.ts";
import { createWorkerRows } from "./worker-rows.ts";

/** What was found of workers that are gone. */
interface Handed {
  /** The names of the workers that died or were cut off. */
  readonly lost: readonly string[];
  /** How many of their runs others can take now. */
  readonly runs: number;
}

const nothing: Handed = { lost: [], runs: 0 };

/**
 * Hands what workers had taken that are gone to the others. DBOS never does that by itself: what a process has taken stays its own.
 * One process at a time does it, so that nothing is handed on twice; what a run wrote is fenced off by its lease in any case.
 */
export async function handOnLostRuns({ database, client, schema }: Dispatch): Promise<Handed> {
  const workers = createWorkerRows(database);
  const { workers: known } = await workers.list();
  const alive = known.filter(({ isAlive }) => isAlive).map(({ id }) => id);
  const gone = known.filter(({ isAlive }) => !isAlive);
  const orphans = await database.query({
    name: `orphans ${schema}`,
    text: `SELECT 1 FROM ${schema}.workflow_status WHERE status = 'PENDING' AND executor_id <> ALL ($1::text[]) LIMIT 1`,
    values: [alive],
  });
  if (gone.length === 0 && orphans.length === 0) return nothing;
  return database.transact(async (query) => {
    const [lock] = await query({
      text: "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS is_mine",
      values: [`baton failover ${database.schemaName}`],
    });
    if (lock?.["is_mine"] !== true) return nothing;
    const rows = await query({
      text: `SELECT workflow_uuid AS id, queue_name AS queue FROM ${schema}.workflow_status
        WHERE status = 'PENDING' AND executor_id <> ALL (
          SELECT id FROM ${database.schema}.workers
          WHERE ended_at IS NULL AND seen_at + lease_ms >= extract(epoch FROM clock_timestamp())::float8 * 1000)`,
    });
    const byQueue = Map.groupBy(rows, (row) => String(row["queue"] ?? nameQueue(DEFAULT_QUEUE)));
    for (const [queueName, taken] of byQueue) {
      const ids = taken.map((row) => String(row["id"]));
      await client.resumeWorkflows(ids, { queueName });
      // Otherwise only workers with the version of the one that is gone would take them.
      await query({
        text: `UPDATE ${schema}.workflow_status SET application_version = NULL WHERE workflow_uuid = ANY ($1::text[]) AND status = 'ENQUEUED'`,
        values: [ids],
      });
    }
    await query({
      text: `INSERT INTO ${database.schema}.counters AS c (name, value) VALUES ('recovered', $1)
        ON CONFLICT (name) DO UPDATE SET value = c.value + $1`,
      values: [rows.length],
    });
    const ended = await query({
      text: `UPDATE ${database.schema}.workers SET ended_at = extract(epoch FROM clock_timestamp())::float8 * 1000
        WHERE id = ANY ($1::text[]) AND ended_at IS NULL AND seen_at + lease_ms < extract(epoch FROM clock_timestamp())::float8 * 1000
        RETURNING name`,
      values: [gone.map(({ id }) => id)],
    });
    return { lost: ended.map((row) => String(row["name"])), runs: rows.length };
  });
}
