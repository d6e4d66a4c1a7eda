import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { BlobTable } from "./tables.ts";

/** Larger bytes are files beside the store's, so that its log stays small. */
const MAX_IN_TABLE = 2 ** 20;

/** The bytes that the runs of a file refer to. */
export function createSqliteBlobs(database: DatabaseSync, file: string): BlobTable {
  const folder = join(dirname(file), "blobs");
  const prepare = (sql: string) => database.prepare(sql);
  return {
    save(runId, sha256, bytes) {
      const isStored = prepare("SELECT 1 FROM blobs WHERE sha256 = ?").get(sha256) !== undefined;
      const isLarge = bytes.byteLength > MAX_IN_TABLE;
      // First the file and then the row: what the row refers to is durable.
      if (!isStored && isLarge) writeDurably(folder, sha256, bytes);
      if (!isStored) prepare("INSERT INTO blobs (sha256, bytes) VALUES (?, ?)").run(sha256, isLarge ? null : bytes);
      prepare("INSERT INTO blobs_of_runs VALUES (?, ?) ON CONFLICT DO NOTHING").run(runId, sha256);
    },
    find(sha256) {
      const row = prepare("SELECT bytes FROM blobs WHERE sha256 = ?").get(sha256);
      if (row === undefined) return undefined;
      return row["bytes"] instanceof Uint8Array ? row["bytes"] : readFileSync(join(folder, sha256));
    },
    list: (runId) =>
      prepare("SELECT sha256 FROM blobs_of_runs WHERE run_id = ?")
        .all(runId)
        .map((row) => String(row["sha256"])),
    removeRun(runId) {
      prepare("DELETE FROM blobs_of_runs WHERE run_id = ?").run(runId);
      const gone = prepare("DELETE FROM blobs WHERE sha256 NOT IN (SELECT sha256 FROM blobs_of_runs) RETURNING sha256");
      for (const { sha256 } of gone.all()) rmSync(join(folder, String(sha256)), { force: true });
    },
  };
}

function writeDurably(folder: string, name: string, bytes: Uint8Array): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${name}.${process.pid}.new`);
  const descriptor = openSync(draft, "w", 0o600);
  try {
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, join(folder, name));
}
