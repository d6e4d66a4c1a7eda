import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { BatonError } from "../errors.ts";
import { asRunId, type RunId } from "../ids.ts";
import type { RunQuery, StoredRun } from "../run/store.ts";
import { newRun, type RunRow } from "./run-row.ts";

/** A run's row in the file. */
export interface SqliteRun extends RunRow {
  /** What its events are filed under; absent until the row is written. */
  readonly number: number | undefined;
  /** The checksum of its last event and of all before it. */
  readonly chain: number;
}

export interface SqliteRuns {
  create(runId: RunId): SqliteRun;
  find(runId: RunId): SqliteRun | undefined;
  confirmAbsence(runId: RunId): void;
  /** Gives the number. */
  save(before: SqliteRun, after: SqliteRun): number;
  list(query: RunQuery): SqliteRun[];
}

const COLUMNS = [
  ...["run_id", "crew", "input", "status", "started_at", "updated_at", "events", "chain"],
  ...["epoch", "owner", "lease_ms", "lease_until", "checksum"],
];
const SELECT = `SELECT number, ${COLUMNS.join(", ")} FROM runs`;

export function createSqliteRuns(database: DatabaseSync, damaged: (what: string) => BatonError): SqliteRuns {
  const find = database.prepare(`${SELECT} WHERE run_id = ?`);
  const findInTable = database.prepare("SELECT number FROM runs NOT INDEXED WHERE run_id = ?");
  const insert = database.prepare(
    `INSERT INTO runs (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`,
  );
  const update = database.prepare(
    `UPDATE runs SET ${COLUMNS.map((name) => `${name} = ?`).join(", ")} WHERE number = ?`,
  );
  const grow = database.prepare("UPDATE runs SET updated_at = ?, events = ?, chain = ?, checksum = ? WHERE number = ?");
  const read = (columns: Columns): SqliteRun => {
    const run = toRun(columns);
    if (checksumOf(run) === columns["checksum"]) return run;
    throw damaged(`what it says of run '${run.runId}' does not match its checksum`);
  };
  return {
    create: (runId) => ({ ...newRun(runId), number: undefined, chain: crc32(runId) }),
    find(runId) {
      const columns = find.get(runId);
      const run = columns === undefined ? undefined : read(columns);
      if (run !== undefined && run.runId !== runId) throw damaged(`run '${runId}' is filed as '${run.runId}'`);
      return run;
    },
    confirmAbsence(runId) {
      if (findInTable.get(runId) !== undefined)
        throw damaged(`run '${runId}' is there, and its index does not know it`);
    },
    save(before, after) {
      const { number, updatedAt, events, chain } = after;
      const checksum = checksumOf(after);
      if (number === undefined) return Number(insert.run(...valuesOf(after), checksum).lastInsertRowid);
      if (hasOnlyGrown(before, after)) grow.run(updatedAt, events, chain, checksum, number);
      else update.run(...valuesOf(after), checksum, number);
      return number;
    },
    list({ status, crew, limit }) {
      const isStatus = status === undefined ? "status IS NOT NULL" : "status = ?";
      const isCrew = crew === undefined ? "" : "AND crew = ?";
      const order = "ORDER BY started_at DESC, number DESC LIMIT ?";
      const rows = limit === undefined ? -1 : Math.max(0, Math.trunc(Math.min(limit, Number.MAX_SAFE_INTEGER)));
      const given = [status, crew].filter((value) => value !== undefined);
      const runs = database
        .prepare(`${SELECT} WHERE ${isStatus} ${isCrew} ${order}`)
        .all(...given, rows)
        .map(read);
      if (status !== undefined && runs.some((run) => run.status !== status)) throw damaged("an index of runs is wrong");
      return runs;
    },
  };
}

/** Most appends change nothing that stands in an index, and little else. */
function hasOnlyGrown(before: SqliteRun, after: SqliteRun): boolean {
  return (
    before.events > 0 &&
    before.status === after.status &&
    before.epoch === after.epoch &&
    before.leaseUntil === after.leaseUntil
  );
}

type Columns = Record<string, SQLOutputValue>;

/** Takes the columns for what they should be: if one of them is not, the checksum does not match. */
function toRun(columns: Columns): SqliteRun {
  return {
    number: columns["number"] as number,
    runId: asRunId(String(columns["run_id"])),
    crew: columns["crew"] as string,
    input: columns["input"] as string,
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

type Values = [
  string,
  string,
  string,
  string | null,
  number,
  number,
  number,
  number,
  number,
  string | null,
  number,
  number,
];

function valuesOf(run: SqliteRun): Values {
  const { runId, crew, input, status, startedAt, updatedAt, events, chain, epoch, owner, leaseMs, leaseUntil } = run;
  const grown = [startedAt, updatedAt, events, chain, epoch] as const;
  return [runId, crew, input, status ?? null, ...grown, owner ?? null, leaseMs, leaseUntil];
}

function checksumOf(run: SqliteRun): number {
  return crc32(JSON.stringify(valuesOf(run)));
}
