import { type RunId, toRunId } from "../vocabulary/ids.ts";
import { beginChain } from "./event-chain.ts";
import { removeBlobs } from "./postgres-blobs.ts";
import type { PostgresDatabase, PostgresRow, Query } from "./postgres-database.ts";
import { createRow, type RunRow, removeRun, renewLease, take } from "./run-row.ts";
import type { Lease, RunQuery, StoredRun } from "./store.ts";

/** A run as its row has it. */
export interface PostgresRun extends RunRow {
  /** The number that its events are filed under; absent until the row is written. */
  readonly number: number | undefined;
  /** The checksum of its last event and of all events before it. */
  readonly chain: number;
}

/** A run and the time at which it was read: by the clock that was given, or by the database's. */
interface RunSeen {
  readonly run: PostgresRun | undefined;
  readonly now: number;
}

/** The rows of runs. A row is replaced only if it still is what was decided on: what changes a run decides by the rules of `run-row.ts`. */
export interface PostgresRuns {
  find(runId: RunId): Promise<RunSeen>;
  /** Several rows, by the ids of their runs. */
  findAll(runIds: readonly RunId[], until: number): Promise<ReadonlyMap<RunId, PostgresRun>>;
  take(runId: RunId, owner: string, leaseMs: number): Promise<PostgresRun>;
  renew(lease: Lease, leaseMs: number, until: number | undefined): Promise<void>;
  release(lease: Lease): Promise<void>;
  list(query: RunQuery): Promise<{ readonly runs: readonly PostgresRun[]; readonly now: number }>;
  /** Resolves to whether there was such a run. */
  remove(runId: RunId): Promise<boolean>;
}

const COLUMNS = `number, run_id, crew, input, "user", conversation, status, started_at, updated_at, events, chain, epoch, owner,
  lease_ms, lease_until`;

/** The time in milliseconds: that of the clock that was given, or else that of the database, which all processes share. */
export const NOW = "coalesce($1::float8, extract(epoch FROM clock_timestamp())::float8 * 1000)";

export function createPostgresRuns(database: PostgresDatabase, clockNow: () => number | null): PostgresRuns {
  const { schema, query } = database;
  const find = async (runId: RunId): Promise<RunSeen> => {
    const [row = {}] = await query({
      name: `find ${schema}`,
      text: `SELECT ${NOW} AS now, r.* FROM (SELECT 1) AS one LEFT JOIN (SELECT ${COLUMNS} FROM ${schema}.runs) AS r ON run_id = $2`,
      values: [clockNow(), runId],
    });
    return { run: row["number"] === null ? undefined : toRun(row), now: Number(row["now"]) };
  };
  return {
    find,
    async findAll(runIds, until) {
      const rows = await query(
        {
          name: `find all ${schema}`,
          text: `SELECT ${COLUMNS} FROM ${schema}.runs WHERE run_id = ANY ($1::text[])`,
          values: [runIds],
        },
        until,
      );
      return new Map(rows.map(toRun).map((run) => [run.runId, run]));
    },
    async take(runId, owner, leaseMs) {
      for (;;) {
        const { run: before = createRun(runId), now } = await find(runId);
        const after = take(before, owner, leaseMs, now);
        const number =
          before.number === undefined ? await insert(database, after) : await replaceLease(database, before, after);
        if (number !== undefined) return { ...after, number };
      }
    },
    async renew(lease, leaseMs, until) {
      for (;;) {
        const rows = await query(
          {
            name: `renew ${schema}`,
            text: `UPDATE ${schema}.runs SET lease_ms = $2, lease_until = ${NOW} + $2
              WHERE run_id = $3 AND epoch = $4 AND owner = $5 RETURNING 1`,
            values: [clockNow(), leaseMs, lease.runId, lease.epoch, lease.owner],
          },
          until,
        );
        if (rows.length > 0) return;
        const { run, now } = await find(lease.runId);
        // It says why the lease is not held.
        renewLease(run, lease, leaseMs, now);
      }
    },
    async release(lease) {
      await query({
        text: `UPDATE ${schema}.runs SET owner = NULL, lease_until = 0 WHERE run_id = $1 AND epoch = $2 AND owner = $3`,
        values: [lease.runId, lease.epoch, lease.owner],
      });
    },
    async list(asked) {
      const { where, values } = buildCondition(asked, schema);
      const rows = await query({
        text: `SELECT ${NOW} AS now, ${COLUMNS} FROM ${schema}.runs WHERE ${where} ORDER BY started_at DESC, number DESC
          LIMIT $${values.length + 2}`,
        values: [clockNow(), ...values, readLimit(asked.limit)],
      });
      return { runs: rows.map(toRun), now: Number(rows[0]?.["now"] ?? 0) };
    },
    remove: (runId) => removeFromTables(database, clockNow, runId),
  };
}

/** The condition for a list of runs. Its parameters begin with the second one. */
function buildCondition(
  { status, crew, user, conversation, after }: RunQuery,
  schema: string,
): { readonly where: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [];
  const given = (value: unknown) => `$${values.push(value) + 1}`;
  const conditions = [status === undefined ? "status IS NOT NULL" : `status = ${given(status)}`];
  if (crew !== undefined) conditions.push(`crew = ANY (${given(typeof crew === "string" ? [crew] : crew)}::text[])`);
  if (user !== undefined) conditions.push(`"user" = ${given(user)}`);
  if (conversation !== undefined) conditions.push(`conversation = ${given(conversation)}`);
  if (after !== undefined)
    conditions.push(
      `(started_at, number) < (SELECT started_at, number FROM ${schema}.runs WHERE run_id = ${given(after)})`,
    );
  return { where: conditions.join(" AND "), values };
}

/** Deletes what a run has. Its row stays, so that earlier leases are stale, and so does its place in the list. */
async function removeFromTables(
  { schema, transact }: PostgresDatabase,
  clockNow: () => number | null,
  runId: RunId,
): Promise<boolean> {
  // If the connection is lost, the row shows whether it was done before.
  let epoch: number | undefined;
  return transact(async (query) => {
    const [row] = await query({
      text: `SELECT ${NOW} AS now, ${COLUMNS} FROM ${schema}.runs WHERE run_id = $2 FOR UPDATE`,
      values: [clockNow(), runId],
    });
    const before = row && toRun(row);
    if (before?.status === undefined) {
      await removeBlobs(query, schema, runId);
      return before !== undefined && before.epoch === epoch;
    }
    const after = removeRun(before, Number(row?.["now"]));
    epoch = after.epoch;
    for (const table of ["events", "texts", "handoffs"])
      await query({ text: `DELETE FROM ${schema}.${table} WHERE run = $1`, values: [before.number] });
    await removeBlobs(query, schema, runId);
    await query({
      text: `UPDATE ${schema}.runs SET crew = '', input = '', "user" = NULL, conversation = NULL, status = NULL, updated_at = 0,
        events = 0, chain = $2, epoch = $3, owner = NULL, lease_until = 0 WHERE number = $1`,
      values: [before.number, beginChain(runId), after.epoch],
    });
    return true;
  });
}

/** A row that is locked until the transaction ends. */
export async function lockRun(query: Query, schema: string, runId: RunId): Promise<PostgresRun | undefined> {
  const [row] = await query({
    text: `SELECT ${COLUMNS} FROM ${schema}.runs WHERE run_id = $1 FOR UPDATE`,
    values: [runId],
  });
  return row === undefined ? undefined : toRun(row);
}

function createRun(runId: RunId): PostgresRun {
  return { ...createRow(runId), number: undefined, chain: beginChain(runId) };
}

/** Resolves to undefined if somebody else was faster. */
async function insert({ schema, query }: PostgresDatabase, run: PostgresRun): Promise<number | undefined> {
  const { runId, startedAt, updatedAt, events, chain, epoch, owner, leaseMs, leaseUntil } = run;
  const rows = await query({
    name: `insert ${schema}`,
    text: `INSERT INTO ${schema}.runs (run_id, crew, input, started_at, updated_at, events, chain, epoch, owner, lease_ms, lease_until)
      VALUES ($1, '', '', $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING number`,
    values: [runId, startedAt, updatedAt, events, chain, epoch, owner, leaseMs, leaseUntil],
  });
  return readNumber(rows);
}

/** Resolves to undefined if the lease is not what it was. */
async function replaceLease(
  { schema, query }: PostgresDatabase,
  before: PostgresRun,
  after: PostgresRun,
): Promise<number | undefined> {
  const rows = await query({
    name: `take ${schema}`,
    text: `UPDATE ${schema}.runs SET epoch = $2, owner = $3, lease_ms = $4, lease_until = $5
      WHERE number = $1 AND epoch = $6 AND owner IS NOT DISTINCT FROM $7 AND lease_until = $8 AND events = $9 RETURNING number`,
    values: [
      ...[before.number, after.epoch, after.owner, after.leaseMs, after.leaseUntil],
      ...[before.epoch, before.owner ?? null, before.leaseUntil, before.events],
    ],
  });
  return readNumber(rows);
}

function readNumber([row]: readonly PostgresRow[]): number | undefined {
  return row === undefined ? undefined : Number(row["number"]);
}

function readLimit(limit: number | undefined): number | null {
  return limit === undefined ? null : Math.max(0, Math.trunc(Math.min(limit, Number.MAX_SAFE_INTEGER)));
}

/** The schema gives the columns their types. */
function toRun(columns: PostgresRow): PostgresRun {
  return {
    number: columns["number"] as number,
    runId: toRunId(String(columns["run_id"])),
    crew: columns["crew"] as string,
    input: columns["input"] as string,
    user: (columns["user"] ?? undefined) as string | undefined,
    conversation: (columns["conversation"] ?? undefined) as string | undefined,
    status: (columns["status"] ?? undefined) as StoredRun["status"] | undefined,
    startedAt: columns["started_at"] as number,
    updatedAt: columns["updated_at"] as number,
    events: columns["events"] as number,
    chain: columns["chain"] as number,
    epoch: columns["epoch"] as number,
    owner: (columns["owner"] ?? undefined) as string | undefined,
    leaseMs: columns["lease_ms"] as number,
    leaseUntil: columns["lease_until"] as number,
  };
}
