import { type BigIntStats, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { type Clock, systemClock } from "../run/clock.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { extendChain, listLinks } from "./event-chain.ts";
import { createGroupCommit } from "./group-commit.ts";
import { mayHaveLargeTexts } from "./large-texts.ts";
import { openDatabase, openExistingDatabase } from "./open-database.ts";
import { append } from "./run-row.ts";
import { createSqliteBlobs } from "./sqlite-blobs.ts";
import { createSqliteDocuments } from "./sqlite-documents.ts";
import { createSqliteEvents } from "./sqlite-events.ts";
import { EVENTS_PER_RUN } from "./sqlite-format.ts";
import { createSqliteHandoffs } from "./sqlite-handoffs.ts";
import { createSqliteMemories } from "./sqlite-memories.ts";
import { createSqliteRuns, hasOnlyGrown, type SqliteRun } from "./sqlite-runs.ts";
import type { Store } from "./store.ts";
import { explainDamage, explainMissingFile, explainMissingLatestPart, toStoreError } from "./store-errors.ts";
import { createTableStore } from "./table-store.ts";
import type { Tables } from "./tables.ts";
import { createWakeUps, type WakeUps } from "./wake-ups.ts";

/** How a store in a file is opened. */
export interface SqliteStoreOptions {
  readonly clock?: Pick<Clock, "now"> | undefined;
  /** How long a write waits for other processes before it is refused with `store-busy`. */
  readonly busyMs?: number | undefined;
}

/** The default for how long a write waits for other processes. */
const BUSY_MS = 10_000;
/** How often a reader that waits for a run checks whether another process has written. */
const POLL_MS = 250;

/** Opens the store in a file, and creates it if there is none. */
export function openInSqlite(file: string, options: SqliteStoreOptions): Store {
  return storeIn(openDatabase(file), file, options);
}

/** Opens the store in a file, for reading even if the file cannot be written; undefined if there is none. */
export function openExistingInSqlite(file: string): Store | undefined {
  const database = openExistingDatabase(file);
  return database === undefined ? undefined : storeIn(database, file, {});
}

function storeIn(database: DatabaseSync, file: string, options: SqliteStoreOptions): Store {
  try {
    return createTableStore(createTables(database, file, options.busyMs ?? BUSY_MS), options.clock ?? systemClock);
  } catch (error) {
    database.close();
    throw toStoreError(file, error);
  }
}

function createTables(database: DatabaseSync, file: string, busyMs: number): Tables<SqliteRun> {
  const toError = (error: unknown) => toStoreError(file, error);
  const isDamaged = (what: string) => explainDamage(file, what);
  const runs = createSqliteRuns(database, isDamaged);
  const events = createSqliteEvents(database, isDamaged);
  const handoffs = createSqliteHandoffs(database);
  const isAlone = () => runs.countHeld() <= 1;
  const turns = { onBegin: runs.refresh, onRollback: runs.forget, isAlone };
  const commits = createGroupCommit(database, { ...turns, busyMs, toError, checkFile: createFileCheck(file) });
  const begin = database.prepare("BEGIN");
  const end = database.prepare("ROLLBACK");
  const wakeUps: WakeUps = createWakeUps(createWatch(database, () => wakeUps.wakeAll()));
  return {
    wakeUps,
    write: commits.write,
    read(look) {
      try {
        begin.run();
        runs.refresh();
        return look();
      } catch (error) {
        throw toError(error);
      } finally {
        if (database.isTransaction) end.run();
      }
    },
    newRun: runs.create,
    findRun: runs.find,
    saveRun(before, after, added) {
      if (after.events > EVENTS_PER_RUN) throw explainTooLong(after.runId);
      const links = listLinks(before.chain, added);
      const run = { ...after, chain: links.at(-1)?.chain ?? before.chain };
      const isNoted = hasOnlyGrown(before, after) && before.number !== undefined;
      if (isNoted) runs.note(run);
      events.add(isNoted ? before.number : runs.write(run), before.events, links);
    },
    appendAlone(lease, record) {
      const before = runs.recall(lease.runId);
      if (before?.number === undefined || mayHaveLargeTexts(record.text)) return undefined;
      const after = append(before, lease, [record]);
      if (!hasOnlyGrown(before, after) || after.events > EVENTS_PER_RUN) return undefined;
      const chain = extendChain(before.chain, record.text);
      // Checked against the file, since the cached row may be out of date.
      if (!events.addAlone(before.number, lease.epoch, before.events, { text: record.text, chain })) return undefined;
      runs.note({ ...after, chain });
      return true;
    },
    removeRun(before, after) {
      runs.remove(before, after);
      if (before.number === undefined) return;
      events.remove(before.number);
      handoffs.remove(before.number);
    },
    events: events.read,
    confirmAbsence: runs.confirmAbsence,
    runs: runs.list,
    ...createSqliteDocuments(database, isDamaged),
    saveHandoffs(runId, added) {
      const number = runs.find(runId)?.number;
      if (number === undefined) throw new Error(`run '${runId}' has no row to file handoffs under`);
      handoffs.save(number, added);
    },
    stats: handoffs.stats,
    handoffs: handoffs.list,
    forget: handoffs.forget,
    memories: createSqliteMemories(database, isDamaged),
    blobs: createSqliteBlobs(database, file),
    async close() {
      await commits.settled();
      database.close();
    },
  };
}

/**
 * Creates a function that throws if the file, or the part of it that SQLite writes to first, was deleted, moved or replaced.
 * SQLite keeps both open and would continue to write to files that nobody finds again.
 */
function createFileCheck(file: string): () => void {
  const opened = statSync(file, { bigint: true });
  let latest: BigIntStats | undefined;
  return () => {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (found?.ino !== opened.ino || found.dev !== opened.dev) throw explainMissingFile(file, found !== undefined);
    const part = statSync(`${file}-wal`, { bigint: true, throwIfNoEntry: false });
    latest ??= part;
    if (part?.ino !== latest?.ino) throw explainMissingLatestPart(file);
  };
}

function explainTooLong(runId: RunId): BatonError {
  return new BatonError(
    "run-too-long",
    `run '${runId}' has ${EVENTS_PER_RUN} events, and a run can have no more: fork it`,
  );
}

/** Creates a function that starts to check whether other connections have written. The first check always reports a change. */
function createWatch(database: DatabaseSync, onWritten: () => void): () => () => void {
  const select = database.prepare("PRAGMA data_version");
  let seen: unknown;
  const look = () => {
    const version = readVersion(select);
    if (version === seen) return;
    seen = version;
    onWritten();
  };
  return () => {
    const timer = setInterval(look, POLL_MS);
    return () => clearInterval(timer);
  };
}

/** If the version cannot be read, readers wake up at every check, and reading shows them what is wrong. */
function readVersion(select: ReturnType<DatabaseSync["prepare"]>): unknown {
  try {
    return select.get()?.["data_version"];
  } catch (error) {
    return error;
  }
}
