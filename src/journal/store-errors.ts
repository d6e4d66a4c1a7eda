import { dirname } from "node:path";
import { BatonError } from "../vocabulary/errors.ts";

/** SQLite's primary result codes that users can act on. */
const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const FULL = 13;
/** There is no room to enlarge the file that processes share. */
const IO_ERROR_SHARED_MEMORY_SIZE = 4874;
/**
 * A missing table or column, a malformed page, a doubled key, or a file that is not a database: an intact file of Baton has none
 * of these.
 */
const DAMAGED: ReadonlySet<number> = new Set([1, 11, 19, 26]);

/**
 * Turns an error of SQLite or the file system into a message that users can act on. All other errors are Baton's own bugs and
 * stay as they are.
 */
export function toStoreError(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BatonError) return error;
  if ("errcode" in error && typeof error.errcode === "number") return explainSqliteError(file, error, error.errcode);
  if (!("code" in error) || typeof error.code !== "string") return error;
  switch (error.code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return readOnly(file, error);
    case "EEXIST":
    case "ENOTDIR":
      return explainMissingFolder(file, error);
    case "ENOSPC":
    case "EDQUOT":
      return explainFullDisk(file, error);
    case "ERR_OUT_OF_RANGE":
      return explainDamage(file, "a number in it is too large", error);
    default:
      return "syscall" in error ? explainFailure(file, error) : error;
  }
}

export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  const code = Number(error.errcode) & 0xff;
  return code === BUSY || code === LOCKED;
}

export function explainDamage(file: string, what: string, cause?: unknown): BatonError {
  const message = `the journal '${file}' is damaged: ${what}; put back a copy of it, or move it away to begin a new one`;
  return new BatonError("store-damaged", message, { cause });
}

export function explainMissingFile(file: string, isReplaced: boolean): BatonError {
  const what = isReplaced ? "was replaced by another file" : "was deleted or moved";
  const message = `the journal '${file}' ${what} while a run was writing to it; the run stopped. Put the file back, then continue the run: baton resume <run>`;
  return new BatonError("store-gone", message);
}

/** Closing the store moves the contents of this part into the journal itself. */
export function explainMissingLatestPart(file: string): BatonError {
  const message = `'${file}-wal', the latest part of the journal, was deleted or replaced while a run was writing to it; the run stopped. Continue the run with baton resume <run>, and leave the file alone while a run uses it`;
  return new BatonError("store-gone", message);
}

export function explainForeignFile(file: string, what: string): BatonError {
  return new BatonError(
    "store-not-ours",
    `'${file}' is not a journal of Baton: ${what}. Baton left it as it is; name another store with --store or BATON_HOME`,
  );
}

function explainSqliteError(file: string, error: Error, extendedCode: number): BatonError {
  const code = extendedCode & 0xff;
  if (isBusy(error)) {
    const message = `the journal '${file}' is locked by another program; nothing was written: try again when that is done`;
    return new BatonError("store-busy", message, { cause: error });
  }
  if (code === READ_ONLY) return readOnly(file, error);
  if (code === FULL || extendedCode === IO_ERROR_SHARED_MEMORY_SIZE) return explainFullDisk(file, error);
  return DAMAGED.has(code) ? explainDamage(file, error.message, error) : explainFailure(file, error);
}

export function readOnly(file: string, cause: unknown): BatonError {
  const message = `the journal '${file}' cannot be written; allow writing, or name another store with --store or BATON_HOME`;
  return new BatonError("store-read-only", message, { cause });
}

function explainMissingFolder(file: string, cause: Error): BatonError {
  const message = `the journal '${file}' cannot be made: '${dirname(file)}' is not a folder; name another store with --store or BATON_HOME`;
  return new BatonError("store-failed", message, { cause });
}

function explainFullDisk(file: string, cause: Error): BatonError {
  const message = `there is no room for the journal '${file}'; what is in it is safe: free some space and try again`;
  return new BatonError("store-full", message, { cause });
}

function explainFailure(file: string, cause: Error): BatonError {
  return new BatonError("store-failed", `the journal '${file}' cannot be used: ${cause.message}`, { cause });
}
