import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { BatonError } from "../vocabulary/errors.ts";
import { APPLICATION_ID, CREATE, FORMAT, TABLES, UPGRADES } from "./sqlite-format.ts";
import { explainDamage, explainForeignFile, readOnly, toStoreError } from "./store-errors.ts";

/** How long opening waits for another process that is recovering or closing the file. */
const OPENING_TIMEOUT_MS = 5000;
/** How long the process blocks on another process's commit before it does other work and tries again. */
const COMMIT_TIMEOUT_MS = 50;

/** Opens the file of a store and creates it if there is none. A file of another program is refused and left unchanged. */
export function openDatabase(file: string): DatabaseSync {
  try {
    if (!existsSync(file)) createFile(file);
    checkHeader(file);
    checkAccess(file);
    return connect(file);
  } catch (error) {
    throw toStoreError(file, error);
  }
}

/** Opens the file of a store for reading, even if it cannot be written; undefined if there is none. It creates nothing. */
export function openExistingDatabase(file: string): DatabaseSync | undefined {
  if (!existsSync(file)) {
    if (existsSync(`${file}-wal`)) throw explainMissingMainFile(file);
    return undefined;
  }
  try {
    checkHeader(file);
    return connectIfWritable(file) ?? connectToRead(file);
  } catch (error) {
    throw toStoreError(file, error);
  }
}

function connectIfWritable(file: string): DatabaseSync | undefined {
  try {
    checkAccess(file);
    return connect(file);
  } catch (error) {
    const why = toStoreError(file, error);
    if (why instanceof BatonError && why.code === "store-read-only") return undefined;
    throw why;
  }
}

/**
 * Creates the file under another name and then puts it in place, so that two processes that start at once never see half a
 * file.
 */
function createFile(file: string): void {
  if (existsSync(`${file}-wal`)) throw explainMissingMainFile(file);
  createFolder(dirname(file));
  const draft = `${file}.${process.pid}.${performance.now()}.new`;
  try {
    // SQLite gives the files beside it the same permissions.
    closeSync(openSync(draft, "wx", 0o600));
    const { DatabaseSync } = loadSqlite();
    const database = new DatabaseSync(draft);
    try {
      database.exec(`PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL; BEGIN; ${CREATE}; COMMIT`);
    } finally {
      database.close();
    }
    putInPlace(draft, file);
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(draft + suffix, { force: true });
  }
}

/** Loads Node's SQLite without Node 22's warning that it is experimental, because no user can act on that. */
export function loadSqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  const emitOthers = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === "ExperimentalWarning" && String(warning).startsWith("SQLite ")) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  process.emitWarning = emitOthers as typeof emitWarning;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

function explainMissingMainFile(file: string): BatonError {
  return explainDamage(file, `it is gone, and its latest part, '${file}-wal', is still there`);
}

/** Files of the store are for their owner only, and not for version control. */
function createFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) === undefined) return;
  writeFileSync(join(folder, ".gitignore"), "*\n", { mode: 0o600 });
}

/** The first process wins. */
function putInPlace(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (existsSync(file)) return;
    // Some file systems have no hard links. A process that opens the copy before it is complete is refused.
    if (!isErrorWithCode(error, ["EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP"])) throw error;
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
  }
}

function isErrorWithCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** Reads the first bytes without SQLite, which might change the file by opening it. */
function checkHeader(file: string): void {
  if (!statSync(file).isFile()) throw explainForeignFile(file, "it is not a file");
  const header = Buffer.alloc(100);
  const descriptor = openSync(file, "r");
  const length = readSync(descriptor, header);
  closeSync(descriptor);
  if (length === 0) throw explainDamage(file, "it is empty");
  if (header.toString("latin1", 0, 16) !== "SQLite format 3\0")
    throw explainForeignFile(file, "it is not an SQLite file");
  if (length < header.length) throw explainDamage(file, "it is cut off");
  checkFormat(file, header.readInt32BE(68), header.readInt32BE(60));
}

function checkAccess(file: string): void {
  try {
    for (const path of [file, dirname(file)]) accessSync(path, constants.W_OK);
  } catch (error) {
    throw readOnly(file, error);
  }
}

function checkFormat(file: string, applicationId: unknown, format: unknown): void {
  if (applicationId !== APPLICATION_ID) throw explainForeignFile(file, "it is another program's SQLite file");
  if (typeof format !== "number" || format < 1) throw explainDamage(file, `its format cannot be ${format}`);
  if (format <= FORMAT) return;
  const message = `the journal '${file}' has format ${format}, and this version of Baton knows those up to ${FORMAT}: use a newer version`;
  throw new BatonError("store-too-new", message);
}

function connect(file: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(file, { timeout: OPENING_TIMEOUT_MS });
  try {
    // Deleted runs are overwritten, not only marked as free. With FULL, a commit is on the disk when it is done, not only after the next checkpoint.
    database.exec(
      "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF",
    );
    database.exec("PRAGMA journal_mode = WAL");
    checkOwner(file, database);
    if (readFormat(database) !== FORMAT) upgrade(database);
    checkTables(file, database, TABLES);
    database.exec(`PRAGMA busy_timeout = ${COMMIT_TIMEOUT_MS}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * SQLite writes beside a file even to read it, unless it knows that nobody changes the file. That is the case if there is no
 * write-ahead log.
 */
function connectToRead(file: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const unchanging = pathToFileURL(file);
  unchanging.searchParams.set("immutable", "1");
  const database = new DatabaseSync(existsSync(`${file}-wal`) ? file : unchanging, { readOnly: true });
  try {
    checkOwner(file, database);
    // Tables that an earlier format lacks are empty. They exist in a temporary schema while the file is open.
    const missing = listUpgrades(database);
    for (const change of missing)
      if (/^CREATE (?:VIRTUAL )?TABLE/.test(change)) database.exec(change.replace("TABLE ", "TABLE temp."));
    checkTables(
      file,
      database,
      TABLES.filter((table) => !missing.includes(table)),
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function checkOwner(file: string, database: DatabaseSync): void {
  const applicationId = database.prepare("PRAGMA application_id").get()?.["application_id"];
  checkFormat(file, applicationId, readFormat(database));
}

function readFormat(database: DatabaseSync): unknown {
  return database.prepare("PRAGMA user_version").get()?.["user_version"];
}

/** Upgrades a file of an earlier format, completely or not at all. Another process may have upgraded it meanwhile. */
function upgrade(database: DatabaseSync): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const change of listUpgrades(database)) database.exec(change);
    database.exec(`PRAGMA user_version = ${FORMAT}; COMMIT`);
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Lists the statements that upgrade the file to the newest format. */
function listUpgrades(database: DatabaseSync): readonly string[] {
  const format = Number(readFormat(database));
  return [...UPGRADES].flatMap(([from, changes]) => (from >= format ? changes : []));
}

/** SQLite stores the statements that created its tables. If they are not Baton's, nothing in the file can be trusted. */
function checkTables(file: string, database: DatabaseSync, tables: readonly string[]): void {
  const found = new Set(
    database
      .prepare("SELECT sql FROM sqlite_schema")
      .all()
      .map((row) => row["sql"]),
  );
  if (tables.some((table) => !found.has(table))) throw explainDamage(file, "its tables are not what they should be");
}
