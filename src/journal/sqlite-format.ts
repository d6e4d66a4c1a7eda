/** What is in a store's file, and how it is told from other files. */

/** In the header of each file of ours: "Batn". */
export const APPLICATION_ID = 0x42_61_74_6e;

/** The newest format, which new files have. Files of earlier ones are loaded for ever: see test/fixtures/journal. */
export const FORMAT = 1;

/**
 * Runs have numbers of their own, so that an event need not repeat the whole id. Events stand in the order in which they came,
 * found by an index: many runs then share the pages of one commit. A run's row says how many events it has and what the
 * checksum of the last one is, so that none can get lost unseen.
 */
export const SCHEMA = `
  CREATE TABLE runs (
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
  ) STRICT;
  CREATE INDEX runs_by_status ON runs (status, started_at);
  CREATE INDEX runs_by_start ON runs (started_at);
  CREATE TABLE events (
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    text TEXT NOT NULL,
    chain INTEGER NOT NULL,
    PRIMARY KEY (run, seq)
  ) STRICT;
  CREATE TABLE documents (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    version INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${FORMAT};
`;
