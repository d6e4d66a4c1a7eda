import type { RunId } from "../vocabulary/ids.ts";
import { hashBytes } from "./blob-methods.ts";
import type { PostgresDatabase, Query } from "./postgres-database.ts";
import { explainPostgresDamage } from "./postgres-errors.ts";

export interface PostgresBlobs {
  save(runId: RunId, bytes: Uint8Array): Promise<string>;
  find(sha256: string): Promise<Uint8Array | undefined>;
  list(runId: RunId): Promise<string[]>;
}

/** The bytes that runs refer to, by the hash of their content, which is checked whenever they are read. */
export function createPostgresBlobs({ schema, query, transact, place }: PostgresDatabase): PostgresBlobs {
  return {
    async save(runId, bytes) {
      const sha256 = hashBytes(bytes);
      await transact(async (send) => {
        // Bytes that somebody refers to from now on must not be removed with the last run that did before.
        await send({
          text: "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))",
          values: [lockName(schema)],
        });
        await send({
          text: `INSERT INTO ${schema}.blobs (sha256, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
          values: [sha256, bytes],
        });
        await send({
          text: `INSERT INTO ${schema}.blobs_of_runs (run_id, sha256) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
          values: [runId, sha256],
        });
      });
      return sha256;
    },
    async find(sha256) {
      const [row] = await query({ text: `SELECT bytes FROM ${schema}.blobs WHERE sha256 = $1`, values: [sha256] });
      const bytes = row?.["bytes"];
      if (!(bytes instanceof Uint8Array)) return undefined;
      if (hashBytes(bytes) === sha256) return bytes;
      throw explainPostgresDamage(place, `the bytes ${sha256} no longer have that hash`);
    },
    async list(runId) {
      const text = `SELECT sha256 FROM ${schema}.blobs_of_runs WHERE run_id = $1 ORDER BY sha256`;
      return (await query({ text, values: [runId] })).map((row) => String(row["sha256"]));
    },
  };
}

/** Removes what only this run refers to, within a transaction. */
export async function removeBlobs(query: Query, schema: string, runId: RunId): Promise<void> {
  const gone = await query({
    text: `SELECT sha256 FROM ${schema}.blobs_of_runs WHERE run_id = $1`,
    values: [runId],
  });
  if (gone.length === 0) return;
  await query({ text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", values: [lockName(schema)] });
  await query({ text: `DELETE FROM ${schema}.blobs_of_runs WHERE run_id = $1`, values: [runId] });
  await query({
    text: `DELETE FROM ${schema}.blobs b WHERE sha256 = ANY ($1::text[])
      AND NOT EXISTS (SELECT 1 FROM ${schema}.blobs_of_runs r WHERE r.sha256 = b.sha256)`,
    values: [gone.map((row) => row["sha256"])],
  });
}

function lockName(schema: string): string {
  return `baton blobs ${schema}`;
}
