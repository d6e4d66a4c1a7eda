/** What is in a store's file, and how it is told from other files. */

/** In the header of each file of ours: "Batn". */
export const APPLICATION_ID = 0x42_61_74_6e;

/** The newest format, which new files have. Files of earlier ones are loaded for ever: see test/fixtures/journal. */
export const FORMAT = 1;

/**
 * Runs have numbers of their own; an event's position is made of that of its run and its own. So all events of a run stand
 * together, and one that is added changes one page: an index beside the table would be cheaper for many runs in one
 * commit, and dearer for a run that is alone. A run's row says how many events it had when the row was written and the
 * checksum of the last one, so that they cannot get lost unseen.
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
    position INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    chain INTEGER NOT NULL
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

/** How many events a run can have, one position each. */
export const EVENTS_PER_RUN = 2 ** 24;

export function positionOf(run: number, seq: number): number {
  return run * EVENTS_PER_RUN + seq;
}
