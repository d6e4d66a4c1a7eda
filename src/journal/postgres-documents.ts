import { crc32 } from "node:zlib";
import { BatonError } from "../vocabulary/errors.ts";
import type { PostgresDatabase, PostgresRow, Query } from "./postgres-database.ts";
import { explainPostgresDamage, explainUnreachable } from "./postgres-errors.ts";
import type { StoredDocument } from "./store.ts";

export interface PostgresDocuments {
  find(kind: string, key: string): Promise<StoredDocument | undefined>;
  /** Writes a document if its version is still the given one. Resolves to whether it was written. */
  save(kind: string, key: string, text: string, version: number): Promise<boolean>;
  /** Resolves to whether there was such a document. */
  drop(kind: string, key: string): Promise<boolean>;
  kinds(): Promise<string[]>;
  list(kind: string): Promise<StoredDocument[]>;
}

const COLUMNS = "kind, key, value, version, checksum";

export function createPostgresDocuments(database: PostgresDatabase): PostgresDocuments {
  const { schema, query } = database;
  const read = (row: PostgresRow): StoredDocument => {
    const [kind, key, text, version] = [
      String(row["kind"]),
      String(row["key"]),
      String(row["value"]),
      Number(row["version"]),
    ];
    if (computeChecksum(kind, key, text, version) !== row["checksum"])
      throw explainPostgresDamage(database.place, `document '${key}' of kind '${kind}' does not match its checksum`);
    return { key, value: JSON.parse(text), version };
  };
  return {
    async find(kind, key) {
      const [row] = await query({
        name: `get ${schema}`,
        text: `SELECT ${COLUMNS} FROM ${schema}.documents WHERE kind = $1 AND key = $2`,
        values: [kind, key],
      });
      return row === undefined ? undefined : read(row);
    },
    async save(kind, key, text, version) {
      const document = { kind, key, text, version, writer: crypto.randomUUID() };
      const until = performance.now() + database.patienceMs;
      const once: Query = (statement) => database.queryOnce(statement, until - performance.now());
      for (let attempt = 0; ; attempt++) {
        try {
          if (await saveDocument(once, schema, document)) return true;
          return attempt > 0 && (await wasWritten(once, database, document));
        } catch (error) {
          if (error instanceof BatonError) throw error;
          await database.waitAfter(error, attempt, until);
        }
      }
    },
    async drop(kind, key) {
      const rows = await query({
        text: `DELETE FROM ${schema}.documents WHERE kind = $1 AND key = $2 RETURNING 1`,
        values: [kind, key],
      });
      return rows.length > 0;
    },
    async kinds() {
      const rows = await query({ text: `SELECT DISTINCT kind FROM ${schema}.documents ORDER BY kind` });
      return rows.map((row) => String(row["kind"]));
    },
    async list(kind) {
      return (await query({ text: `SELECT ${COLUMNS} FROM ${schema}.documents WHERE kind = $1`, values: [kind] })).map(
        read,
      );
    },
  };
}

export interface DocumentText {
  readonly kind: string;
  readonly key: string;
  readonly text: string;
  /** The version that the document has before. */
  readonly version: number;
  readonly writer: string;
}

export async function saveDocument(
  query: Query,
  schema: string,
  { kind, key, text, version, writer }: DocumentText,
): Promise<boolean> {
  const checksum = computeChecksum(kind, key, text, version + 1);
  const values = [kind, key, text, version + 1, checksum, writer];
  const rows = await query(
    version === 0
      ? {
          name: `create ${schema}`,
          text: `INSERT INTO ${schema}.documents (${COLUMNS}, writer) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT DO NOTHING RETURNING 1`,
          values,
        }
      : {
          name: `put ${schema}`,
          text: `UPDATE ${schema}.documents SET value = $3, version = $4, checksum = $5, writer = $6
            WHERE kind = $1 AND key = $2 AND version = $4 - 1 RETURNING 1`,
          values,
        },
  );
  return rows.length > 0;
}

/** If the connection was lost, an earlier attempt may have been the one that wrote what is there. */
async function wasWritten(query: Query, { schema, place }: PostgresDatabase, document: DocumentText): Promise<boolean> {
  const { kind, key, version, writer } = document;
  const [row] = await query({
    text: `SELECT version, writer FROM ${schema}.documents WHERE kind = $1 AND key = $2`,
    values: [kind, key],
  });
  if (row?.["writer"] === writer) return true;
  // The next version is somebody else's. Of one after that nobody knows what it follows.
  if (row === undefined || Number(row["version"]) <= version + 1) return false;
  throw explainUnreachable(place, new Error("the connection was lost while a document was written"));
}

function computeChecksum(kind: string, key: string, text: string, version: number): number {
  return crc32(JSON.stringify([kind, key, text, version]));
}
