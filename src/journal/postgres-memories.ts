import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type {
  FoundMemory,
  MemoryEntry,
  MemoryQuery,
  RecallQuery,
  RememberedEntry,
  StoredMemory,
} from "./memory-entry.ts";
import type { PostgresDatabase, PostgresRow, Query } from "./postgres-database.ts";
import { explainPostgresDamage } from "./postgres-errors.ts";
import { NOW } from "./postgres-runs.ts";
import { createVectorCache, type Near } from "./vector-cache.ts";

export interface PostgresMemories {
  remember(entry: MemoryEntry, maxEntries: number | undefined): Promise<RememberedEntry>;
  recall(query: RecallQuery): Promise<FoundMemory[]>;
  list(query: MemoryQuery): Promise<StoredMemory[]>;
  erase(query: MemoryQuery): Promise<number>;
}

const COLUMNS = "number, id, scope, entry, superseded_by, checksum";
/** Expired and superseded entries are found by their vectors, too, and left out. */
const SPARE = 50;

/** BM25 with the usual constants (1.2 and 0.75), over the entries of one scope that may be recalled. */
const rank = (schema: string) => `WITH open AS (SELECT number, at, words FROM ${schema}.memories
    WHERE scope = $2 AND superseded_by IS NULL AND (expires_at IS NULL OR expires_at > ${NOW})),
  size AS (SELECT count(*)::float8 AS n, avg(cardinality(words))::float8 AS mean FROM open),
  wanted AS (SELECT term, ln(1 + (n - found + 0.5) / (found + 0.5)) AS rarity FROM size,
    unnest($3::text[]) AS term, LATERAL (SELECT count(*)::float8 AS found FROM open WHERE words @> ARRAY[term]) AS f)
  SELECT number, sum(rarity * (times * 2.2) / (times + 1.2 * (0.25 + 0.75 * cardinality(words) / mean))) AS score
  FROM open, wanted, size, LATERAL (SELECT cardinality(array_positions(words, term))::float8 AS times) AS t
  WHERE times > 0 GROUP BY number, at ORDER BY score DESC, at DESC LIMIT $4`;

/** The entries of memory. What a new entry does to others of its scope is done by one process at a time. */
export function createPostgresMemories(database: PostgresDatabase, clockNow: () => number | null): PostgresMemories {
  const { schema, query, transact, place } = database;
  const vectors = createVectorCache();
  const read = (row: PostgresRow): StoredMemory => {
    const supersededBy = (row["superseded_by"] ?? undefined) as string | undefined;
    if (computeChecksum(row["scope"], row["entry"], supersededBy) !== row["checksum"])
      throw explainPostgresDamage(place, `memory '${row["id"]}' does not match its checksum`);
    return { ...JSON.parse(String(row["entry"])), ...(supersededBy !== undefined && { supersededBy }) };
  };
  const searchWords = async (scope: string, terms: readonly string[], limit: number): Promise<Near[]> => {
    const storable = [...new Set(terms)].filter((term) => !term.includes("\0"));
    const rows = await query({ text: rank(schema), values: [clockNow(), scope, storable, limit] });
    return rows.map((row) => ({ number: Number(row["number"]), score: Number(row["score"]) }));
  };
  const searchVectors = async (scope: string, vector: readonly number[], limit: number): Promise<Near[]> => {
    const dimensions = vector.length;
    const rows = await query({
      text: `SELECT number, vector FROM ${schema}.memories WHERE scope = $1 AND number > $2 AND length(vector) = $3 ORDER BY number`,
      values: [scope, vectors.lastNumber(scope, dimensions), dimensions * 4],
    });
    for (const { number, vector: bytes } of rows)
      if (bytes instanceof Uint8Array) vectors.add(scope, dimensions, Number(number), bytes);
    return vectors.search(scope, vector, limit);
  };
  return {
    remember: (entry, maxEntries) => transact((send) => remember({ schema, send, read }, entry, maxEntries)),
    async recall({ scope, by, limit }) {
      if (limit <= 0) return [];
      const found =
        "vector" in by
          ? await searchVectors(scope, by.vector, limit + SPARE)
          : await searchWords(scope, by.terms, limit);
      const rows = await query({
        text: `SELECT ${COLUMNS} FROM ${schema}.memories WHERE number = ANY ($2::bigint[]) AND scope = $3 AND superseded_by IS NULL
          AND (expires_at IS NULL OR expires_at > ${NOW})`,
        values: [clockNow(), found.map(({ number }) => number), scope],
      });
      const byNumber = new Map(rows.map((row) => [Number(row["number"]), row]));
      const entries = found.flatMap(({ number, score }): FoundMemory[] => {
        const row = byNumber.get(number);
        return row === undefined ? [] : [{ ...read(row), score }];
      });
      return entries.slice(0, limit);
    },
    list: async (asked) => (await find(query, schema, asked)).map(read),
    async erase({ scope, id, limit }) {
      const rows = await query({
        text: `DELETE FROM ${schema}.memories WHERE number IN (SELECT number FROM ${schema}.memories
          WHERE ($1::text IS NULL OR scope = $1) AND ($2::text IS NULL OR id = $2) ORDER BY at DESC, number DESC LIMIT $3) RETURNING 1`,
        values: [scope ?? null, id ?? null, limit ?? null],
      });
      return rows.length;
    },
  };
}

interface Remembering {
  readonly schema: string;
  readonly send: Query;
  readonly read: (row: PostgresRow) => StoredMemory;
}

async function remember(
  { schema, send, read }: Remembering,
  added: MemoryEntry,
  maxEntries: number | undefined,
): Promise<RememberedEntry> {
  // Numbers of a scope grow in the order of commits, by which readers know what is new.
  await send({
    text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
    values: [`baton memory ${schema} ${added.scope}`],
  });
  const [same] = await send({
    text: `SELECT id FROM ${schema}.memories WHERE scope = $1 AND text_hash = $2`,
    values: [added.scope, hashText(added.text)],
  });
  const id = same === undefined ? added.id : String(same["id"]);
  await save(send, schema, { ...added, id });
  for (const older of added.supersedes ?? [])
    for (const row of older === id ? [] : await find(send, schema, { scope: added.scope, id: older }))
      await save(send, schema, { ...read(row), supersededBy: id });
  const dropped =
    maxEntries === undefined
      ? []
      : await send({
          text: `DELETE FROM ${schema}.memories WHERE number IN (SELECT number FROM ${schema}.memories WHERE scope = $1
            ORDER BY at DESC, number DESC OFFSET $2) RETURNING 1`,
          values: [added.scope, Math.max(1, maxEntries)],
        });
  return { id, isNew: same === undefined, dropped: dropped.length };
}

/** Adds an entry, or replaces the one of the same id, with a new number. */
async function save(send: Query, schema: string, stored: StoredMemory): Promise<void> {
  const { supersededBy, ...entry } = stored;
  const text = JSON.stringify(entry);
  const vector = entry.vector && new Uint8Array(Float32Array.from(entry.vector).buffer);
  const words = entry.terms.split(" ").filter((word) => word !== "");
  await send({ text: `DELETE FROM ${schema}.memories WHERE id = $1`, values: [entry.id] });
  await send({
    text: `INSERT INTO ${schema}.memories (id, scope, text_hash, entry, words, vector, at, expires_at, superseded_by, checksum)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      ...[entry.id, entry.scope, hashText(entry.text), text, words, vector ?? null, entry.at],
      ...[entry.expiresAt ?? null, supersededBy ?? null, computeChecksum(entry.scope, text, supersededBy)],
    ],
  });
}

function find(send: Query, schema: string, { scope, id, limit }: MemoryQuery): Promise<readonly PostgresRow[]> {
  return send({
    text: `SELECT ${COLUMNS} FROM ${schema}.memories WHERE ($1::text IS NULL OR scope = $1) AND ($2::text IS NULL OR id = $2)
      ORDER BY at DESC, number DESC LIMIT $3`,
    values: [scope ?? null, id ?? null, limit ?? null],
  });
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function computeChecksum(scope: unknown, entry: unknown, supersededBy: string | undefined): number {
  return crc32(JSON.stringify([scope, entry, supersededBy ?? null]));
}
