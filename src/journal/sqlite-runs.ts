import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { BatonError } from "../vocabulary/errors.ts";
import { type RunId, toRunId } from "../vocabulary/ids.ts";
import { parseRecord } from "./event-record.ts";
import { putTextsBack } from "./large-texts.ts";
import { createRow, type RunRow } from "./run-row.ts";
import { computePosition } from "./sqlite-format.ts";
import { buildRunQuery } from "./sqlite-run-query.ts";
import type { RunQuery, StoredRun } from "./store.ts";

/**
 * A run as the file stores it. Its row is written when the run begins, pauses, continues or ends and when its lease changes,
 * but not with each event. Later events are found by looking at the last one.
 */
export interface SqliteRun extends RunRow {
  /** The number that its events are filed under; absent until the row is written. */
  readonly number: number | undefined;
  /** The checksum of its last event and of all events before it. */
  readonly chain: number;
  /** The number of its events when the row was written. At least this many must exist. */
  readonly sealedEvents: number;
  readonly sealedChain: number;
}

/** The rows of runs. Those of this process's runs are cached until another process writes to the file. */
export interface SqliteRuns {
  /** To be called when a transaction has begun. */
  refresh(): void;
  /** To be called when a transaction was rolled back. */
  forget(): void;
  /** The cached row of a run, which may be out of date. */
  recall(runId: RunId): SqliteRun | undefined;
  /** How many runs this process holds, as far as it knows. */
  countHeld(): number;
  create(runId: RunId): SqliteRun;
  find(runId: RunId): SqliteRun | undefined;
  confirmAbsence(runId: RunId): void;
  /** Writes the row and returns its number. */
  write(run: SqliteRun): number;
  /** Writes the row of a run whose events are deleted. */
  remove(before: SqliteRun, after: SqliteRun): void;
  /** Caches a run that only got more events. */
  note(run: SqliteRun): void;
  list(query: RunQuery): SqliteRun[];
}

const COLUMNS = [
  ...["run_id", "crew", "input", "status", "started_at", "updated_at", "events", "chain"],
  ...["epoch", "owner", "lease_ms", "lease_until", "checksum"],
];
const SELECT = `SELECT number, ${COLUMNS.join(", ")} FROM runs`;
const SELECT_LABELLED = `SELECT number, ${COLUMNS.join(", ")}, user, conversation FROM runs LEFT JOIN labels ON run = number`;

export function createSqliteRuns(database: DatabaseSync, damaged: (what: string) => BatonError): SqliteRuns {
  const known = new Map<RunId, SqliteRun>();
  let seenVersion: unknown;
  const dataVersion = database.prepare("PRAGMA data_version");
  const find = database.prepare(`${SELECT} WHERE run_id = ?`);
  const findInTable = database.prepare("SELECT number FROM runs NOT INDEXED WHERE run_id = ?");
  const read = createReader(database, damaged);
  const write = createWriter(database);
  const unlabel = database.prepare("DELETE FROM labels WHERE run = ?");
  return {
    refresh() {
      const version = dataVersion.get()?.["data_version"];
      if (version !== seenVersion) known.clear();
      seenVersion = version;
    },
    forget: () => known.clear(),
    recall: (runId) => known.get(runId),
    countHeld: () => known.size,
    create: (runId) => {
      const chain = crc32(runId);
      return { ...createRow(runId), number: undefined, chain, sealedEvents: 0, sealedChain: chain };
    },
    find(runId) {
      const held = known.get(runId);
      if (held !== undefined) return held;
      const columns = find.get(runId);
      const run = columns === undefined ? undefined : read(columns);
      if (run !== undefined && run.runId !== runId) throw damaged(`run '${runId}' is filed as '${run.runId}'`);
      return run;
    },
    confirmAbsence(runId) {
      if (findInTable.get(runId) !== undefined)
        throw damaged(`run '${runId}' is there, and its index does not know it`);
    },
    write(run) {
      const written = write(run);
      if (run.owner === undefined) known.delete(run.runId);
      else known.set(run.runId, written);
      return written.number;
    },
    note: (run) => void known.set(run.runId, run),
    remove(before, after) {
      write({ ...after, chain: crc32(after.runId) });
      unlabel.run(before.number ?? 0);
      known.delete(after.runId);
    },
    list(query) {
      const { sql, given } = buildRunQuery(query);
      const runs = database
        .prepare(`${SELECT_LABELLED} WHERE ${sql}`)
        .all(...given)
        .map(read);
      const { status } = query;
      if (status !== undefined && runs.some((run) => run.status !== status)) throw damaged("an index of runs is wrong");
      return runs;
    },
  };
}

/**
 * Creates the function that turns a row into a run. It checks the row, and it finds the events that came after the row was
 * written.
 */
function createReader(database: DatabaseSync, damaged: (what: string) => BatonError): (columns: Columns) => SqliteRun {
  const last = database.prepare(
    "SELECT position, text, chain FROM events WHERE position >= ? AND position < ? ORDER BY position DESC LIMIT 1",
  );
  return (columns) => {
    const run = toRun(columns);
    const { runId, number, sealedEvents } = run;
    if (computeChecksum(run) !== columns["checksum"])
      throw damaged(`its entry of run '${runId}' does not match the checksum`);
    // The rows of all other runs are written with each event.
    if (run.status !== "running") return run;
    const latest = last.get(computePosition(number, 0), computePosition(number + 1, 0));
    const [seq, chain] = [Number(latest?.["position"]) - computePosition(number, 0), Number(latest?.["chain"])];
    if (!(seq + 1 >= sealedEvents)) throw damaged(`events of run '${runId}' are missing: it had ${sealedEvents}`);
    const event = parseRecord(String(latest?.["text"]), runId, seq, (value) => putTextsBack(value, () => ""));
    if (typeof event === "string") throw damaged(`event ${seq} of run '${runId}' ${event}`);
    return { ...run, events: seq + 1, chain, updatedAt: event.ts };
  };
}

function createWriter(database: DatabaseSync): (run: SqliteRun) => SqliteRun & { readonly number: number } {
  const columns = COLUMNS.join(", ");
  const insert = database.prepare(`INSERT INTO runs (${columns}) VALUES (${COLUMNS.map(() => "?").join(", ")})`);
  const update = database.prepare(
    `UPDATE runs SET (${columns}) = (${COLUMNS.map(() => "?").join(", ")}) WHERE number = ?`,
  );
  const label = database.prepare("INSERT INTO labels VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
  const save = (run: SqliteRun): number => {
    const values = [...listValues(run), computeChecksum(run)];
    if (run.number === undefined) return Number(insert.run(...values).lastInsertRowid);
    update.run(...values, run.number);
    return run.number;
  };
  return (run) => {
    const sealed = { ...run, sealedEvents: run.events, sealedChain: run.chain };
    const number = save(sealed);
    const { user, conversation } = run;
    if (user !== undefined || conversation !== undefined) label.run(number, user ?? null, conversation ?? null);
    return { ...sealed, number };
  };
}

/** Whether only events were added, to a run that continues. */
export function hasOnlyGrown(before: SqliteRun, after: SqliteRun): boolean {
  return (
    before.status === "running" &&
    after.status === "running" &&
    before.epoch === after.epoch &&
    before.owner === after.owner &&
    before.leaseMs === after.leaseMs &&
    before.leaseUntil === after.leaseUntil
  );
}

type Columns = Record<string, SQLOutputValue>;

/** Trusts the types of the columns: if one is wrong, the checksum does not match. */
function toRun(columns: Columns): SqliteRun & { readonly number: number } {
  return {
    number: columns["number"] as number,
    runId: toRunId(String(columns["run_id"])),
    crew: columns["crew"] as string,
    input: columns["input"] as string,
    // Only lists of runs read the labels.
    user: (columns["user"] ?? undefined) as string | undefined,
    conversation: (columns["conversation"] ?? undefined) as string | undefined,
    status: (columns["status"] ?? undefined) as StoredRun["status"] | undefined,
    startedAt: columns["started_at"] as number,
    updatedAt: columns["updated_at"] as number,
    events: columns["events"] as number,
    chain: columns["chain"] as number,
    sealedEvents: columns["events"] as number,
    sealedChain: columns["chain"] as number,
    epoch: columns["epoch"] as number,
    owner: (columns["owner"] ?? undefined) as string | undefined,
    leaseMs: columns["lease_ms"] as number,
    leaseUntil: columns["lease_until"] as number,
  };
}

function listValues(run: SqliteRun): (string | number | null)[] {
  const { runId, crew, input, status, startedAt, updatedAt, epoch, owner, leaseMs, leaseUntil } = run;
  const grown = [startedAt, updatedAt, run.sealedEvents, run.sealedChain];
  return [runId, crew, input, status ?? null, ...grown, epoch, owner ?? null, leaseMs, leaseUntil];
}

function computeChecksum(run: SqliteRun): number {
  return crc32(JSON.stringify(listValues(run)));
}
