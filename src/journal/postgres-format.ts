import { BatonError } from "../vocabulary/errors.ts";
import type { PostgresDatabase, Query } from "./postgres-database.ts";
import { explainPostgresDamage } from "./postgres-errors.ts";

/** The newest format, which new schemas have. */
export const POSTGRES_FORMAT = 2;

/**
 * The tables of a store. Events of a run are together in their index, and a run's row has the number of its events and the checksum of
 * the last one, which each append replaces: that is what fences off owners who lost the run. Those columns are in no index and pages
 * are left half empty, so that replacing them writes to one page. Texts are compared byte by byte, as in every other store.
 */
const TABLES: readonly string[] = [
  `CREATE TABLE runs (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id text COLLATE "C" NOT NULL UNIQUE,
    crew text COLLATE "C" NOT NULL,
    input text NOT NULL,
    "user" text COLLATE "C",
    conversation text COLLATE "C",
    status text,
    started_at float8 NOT NULL,
    updated_at float8 NOT NULL,
    events integer NOT NULL,
    chain bigint NOT NULL,
    epoch bigint NOT NULL,
    owner text,
    lease_ms float8 NOT NULL,
    lease_until float8 NOT NULL,
    followed_until float8 NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50)`,
  "CREATE INDEX runs_by_status ON runs (status, started_at)",
  "CREATE INDEX runs_by_start ON runs (started_at, number)",
  `CREATE INDEX runs_by_user ON runs ("user") WHERE "user" IS NOT NULL`,
  "CREATE INDEX runs_by_conversation ON runs (conversation) WHERE conversation IS NOT NULL",
  `CREATE TABLE events (
    run bigint NOT NULL,
    seq integer NOT NULL,
    text text NOT NULL,
    chain bigint NOT NULL,
    PRIMARY KEY (run, seq)
  )`,
  `CREATE TABLE texts (
    run bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (run, hash)
  )`,
  `CREATE TABLE documents (
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    value text NOT NULL,
    version bigint NOT NULL,
    checksum bigint NOT NULL,
    writer text NOT NULL,
    PRIMARY KEY (kind, key)
  )`,
  `CREATE TABLE handoffs (
    run bigint NOT NULL,
    seq integer NOT NULL,
    crew text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    target text COLLATE "C" NOT NULL,
    via text COLLATE "C" NOT NULL,
    at float8 NOT NULL,
    outcome smallint,
    cost float8,
    ms float8 NOT NULL,
    loop text COLLATE "C",
    gap text,
    PRIMARY KEY (run, seq)
  )`,
  "CREATE INDEX handoffs_by_path ON handoffs (crew, source, target, via, run, seq)",
  "CREATE INDEX handoffs_by_gap ON handoffs (at) WHERE gap IS NOT NULL",
  `CREATE TABLE memories (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    scope text COLLATE "C" NOT NULL,
    text_hash text COLLATE "C" NOT NULL,
    entry text NOT NULL,
    words text[] COLLATE "C" NOT NULL,
    vector bytea,
    at float8 NOT NULL,
    expires_at float8,
    superseded_by text COLLATE "C",
    checksum bigint NOT NULL,
    UNIQUE (scope, text_hash)
  )`,
  "CREATE INDEX memories_by_scope ON memories (scope, number)",
  `CREATE TABLE blobs (
    sha256 text COLLATE "C" PRIMARY KEY,
    bytes bytea NOT NULL
  )`,
  `CREATE TABLE blobs_of_runs (
    run_id text COLLATE "C" NOT NULL,
    sha256 text COLLATE "C" NOT NULL,
    PRIMARY KEY (run_id, sha256)
  )`,
  "CREATE INDEX blobs_of_runs_by_hash ON blobs_of_runs (sha256)",
];

/**
 * Processes that run what others have queued. They tell every second that they live; whoever does not is ended by the others. Their rows
 * change all the time, and none of it is part of what a store holds.
 */
const WORKERS: readonly string[] = [
  `CREATE TABLE workers (
    id text COLLATE "C" PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    version text NOT NULL,
    about text NOT NULL,
    runs text NOT NULL,
    started_at float8 NOT NULL,
    seen_at float8 NOT NULL,
    lease_ms float8 NOT NULL,
    is_draining boolean NOT NULL DEFAULT false,
    ended_at float8
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE counters (name text COLLATE "C" PRIMARY KEY, value bigint NOT NULL)`,
];

/** The names of the tables that hold what is stored. */
export const TABLE_NAMES = [
  "runs",
  "events",
  "texts",
  "documents",
  "handoffs",
  "memories",
  "blobs",
  "blobs_of_runs",
] as const;

/** The statements that upgrade a schema of each format to the next; those of 0 begin one. */
const UPGRADES: readonly (readonly string[])[] = [TABLES, WORKERS];

/**
 * Brings the schema to the newest format and creates it if there is none. Whoever has only the right to use it needs no other, as
 * long as there is nothing to do. Resolves to whether there is a store; without `mayCreate` an absent one stays absent.
 */
export async function prepareSchema(database: PostgresDatabase, mayCreate: boolean): Promise<boolean> {
  const found = await database.transact((query) => readFormat(query, database));
  if (found === undefined && !mayCreate) return false;
  if (found !== POSTGRES_FORMAT) await migrate(database);
  return true;
}

/** The format of the schema; undefined if there is no such schema, or nothing in it. */
async function readFormat(query: Query, { place, schema, schemaName }: PostgresDatabase): Promise<number | undefined> {
  const [about] = await query({
    text: `SELECT current_setting('server_encoding') AS encoding, to_regnamespace($1) IS NOT NULL AS is_there,
      to_regclass($2) IS NOT NULL AS is_ours,
      (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $3 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')) AS relations`,
    values: [schema, `${schema}.format`, schemaName],
  });
  if (about?.["encoding"] !== "UTF8")
    throw new BatonError(
      "store-not-ours",
      `the database at ${place} has the encoding ${about?.["encoding"]}, which cannot hold every text: create one with UTF8`,
    );
  if (about["is_ours"] !== true) {
    if (Number(about["relations"]) === 0) return undefined;
    throw new BatonError(
      "store-not-ours",
      `the schema '${schemaName}' has tables of another program, which were left as they are: ${place}. Choose another one with --schema`,
    );
  }
  const [row] = await query({ text: `SELECT version FROM ${schema}.format` });
  const version = Number(row?.["version"]);
  if (!(version >= 1)) throw explainPostgresDamage(place, "it does not say which format it has");
  if (version > POSTGRES_FORMAT) throw explainTooNew(place, version);
  return version;
}

/** Completely or not at all, and one process at a time; the others find it done. */
async function migrate(database: PostgresDatabase): Promise<void> {
  const { schema, schemaName } = database;
  await database.transact(async (query) => {
    await query({ text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", values: [`baton ${schemaName}`] });
    const found = (await readFormat(query, database)) ?? 0;
    if (found === POSTGRES_FORMAT) return;
    // A role may use a schema that somebody else has made for it, without the right to make one.
    const [{ is_there: isThere } = {}] = await query({
      text: "SELECT to_regnamespace($1) IS NOT NULL AS is_there",
      values: [schema],
    });
    if (isThere !== true) await query({ text: `CREATE SCHEMA ${schema}` });
    await query({ text: `SET LOCAL search_path TO ${schema}` });
    if (found === 0) await query({ text: "CREATE TABLE format (version integer NOT NULL)" });
    if (found === 0) await query({ text: "INSERT INTO format VALUES (0)" });
    for (const text of UPGRADES.slice(found).flat()) await query({ text });
    await query({ text: `UPDATE format SET version = ${POSTGRES_FORMAT}` });
  });
}

function explainTooNew(place: string, format: number): BatonError {
  const message = `the journal at ${place} has format ${format}, and this version of Baton knows those up to ${POSTGRES_FORMAT}: use a newer version`;
  return new BatonError("store-too-new", message);
}
