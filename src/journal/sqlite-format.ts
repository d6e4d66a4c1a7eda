/** The contents of a store's file, and how it is told from other files. */

/** In the header of each of Baton's files: "Batn". */
export const APPLICATION_ID = 0x42_61_74_6e;

/** The newest format, which new files have. Files of earlier formats can be loaded for ever: see test/fixtures/journal. */
export const FORMAT = 5;

/**
 * Runs have numbers, and an event's position combines the run's number and its own. So all events of a run are together, and
 * adding one changes one page. An index beside the table would be cheaper for many runs in one commit, but more expensive for a
 * single run. A run's row stores the number of its events and the checksum of the last one at the time of writing, so that no
 * event can be lost unnoticed.
 */
const FIRST_TABLES: readonly string[] = [
  `CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE,
    crew TEXT NOT NULL,
    input TEXT NOT NULL,
    status TEXT,
    started_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    events INTEGER NOT NULL,
    chain INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    owner TEXT,
    lease_ms REAL NOT NULL,
    lease_until REAL NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX runs_by_status ON runs (status, started_at)",
  "CREATE INDEX runs_by_start ON runs (started_at)",
  `CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    chain INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE documents (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    version INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT`,
];

/**
 * Handoffs have no checksums, because they can be counted again from the stored runs. They are filed by path, and within a path
 * by run and event, so that summing up a path reads adjacent small rows.
 */
const HANDOFF_TABLES: readonly string[] = [
  `CREATE TABLE paths (
    id INTEGER PRIMARY KEY,
    crew TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    via TEXT NOT NULL,
    UNIQUE (crew, source, target, via)
  ) STRICT`,
  `CREATE TABLE handoffs (
    path INTEGER NOT NULL,
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at REAL NOT NULL,
    outcome INTEGER,
    cost REAL,
    ms REAL NOT NULL,
    loop TEXT,
    gap TEXT,
    PRIMARY KEY (path, run, seq)
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX handoffs_by_loop ON handoffs (path, loop, at, outcome) WHERE loop IS NOT NULL",
  "CREATE INDEX handoffs_by_gap ON handoffs (at) WHERE gap IS NOT NULL",
];

/** Pieces of large texts, each once per run, by the hash that its events contain: see large-texts.ts. */
const TEXT_TABLES: readonly string[] = [
  `CREATE TABLE texts (
    run INTEGER NOT NULL,
    hash TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (run, hash)
  ) STRICT`,
];

/** For whom a run was started, and its conversation: copied from its first event, so that runs are found by them. */
const LABEL_TABLES: readonly string[] = [
  `CREATE TABLE labels (
    run INTEGER PRIMARY KEY,
    user TEXT,
    conversation TEXT
  ) STRICT`,
  "CREATE INDEX labels_by_user ON labels (user) WHERE user IS NOT NULL",
  "CREATE INDEX labels_by_conversation ON labels (conversation) WHERE conversation IS NOT NULL",
];

/** The labels of runs that are stored already. Their first events are small enough to be whole. */
const LABEL_STORED_RUNS = `INSERT INTO labels SELECT number, json_extract(text, '$.data.user'), json_extract(text, '$.data.session.id')
  FROM runs JOIN events ON position = number * 16777216
  WHERE json_extract(text, '$.data.user') IS NOT NULL OR json_extract(text, '$.data.session.id') IS NOT NULL`;

/**
 * Entries of memory, each text of a scope once, and their words. Words are filed with their scope, so that a search reads those of
 * one scope only, and counted, so that it reads the rare ones. Bytes are stored by their hash, with the runs that refer to them; large ones are files beside this one.
 */
const MEMORY_TABLES: readonly string[] = [
  `CREATE TABLE memories (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    entry TEXT NOT NULL,
    vector BLOB,
    at REAL NOT NULL,
    expires_at REAL,
    superseded_by TEXT,
    checksum INTEGER NOT NULL
  ) STRICT`,
  "CREATE UNIQUE INDEX memories_by_text ON memories (scope, text_hash)",
  "CREATE INDEX memories_by_time ON memories (scope, at)",
  "CREATE VIRTUAL TABLE memory_terms USING fts5 (terms, content = '', contentless_delete = 1)",
  `CREATE TABLE memory_words (
    word TEXT PRIMARY KEY,
    entries INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE blobs (
    sha256 TEXT PRIMARY KEY,
    bytes BLOB
  ) STRICT`,
  `CREATE TABLE blobs_of_runs (
    run_id TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (run_id, sha256)
  ) STRICT, WITHOUT ROWID`,
];

export const TABLES: readonly string[] = [
  ...FIRST_TABLES,
  ...HANDOFF_TABLES,
  ...TEXT_TABLES,
  ...LABEL_TABLES,
  ...MEMORY_TABLES,
];

/** The statements that upgrade a file of each format to the next. */
export const UPGRADES: ReadonlyMap<number, readonly string[]> = new Map([
  [1, HANDOFF_TABLES],
  [2, TEXT_TABLES],
  [3, [...LABEL_TABLES, LABEL_STORED_RUNS]],
  [4, MEMORY_TABLES],
]);

/** The statements that make an empty file one of Baton's. */
export const CREATE = [...TABLES, `PRAGMA application_id = ${APPLICATION_ID}`, `PRAGMA user_version = ${FORMAT}`].join(
  "; ",
);

/** How many events a run can have. Each has one position. */
export const EVENTS_PER_RUN = 2 ** 24;

export function computePosition(run: number, seq: number): number {
  return run * EVENTS_PER_RUN + seq;
}
