import type { Clock } from "../run/clock.ts";

/** Where the tables of a store in PostgreSQL are, and how patient the store is with its server. */
export interface PostgresOptions {
  /** The schema that holds the store's tables: letters, digits and `_`. Default: `baton`, or what `?schema=` in the URL says. */
  readonly schema?: string;
  /** The most connections that the store uses at once, besides the one that listens. Default: 8. */
  readonly connections?: number;
  /** How long calls wait for a server that does not answer, unless a run's lease ends sooner. Default: 10,000. */
  readonly patienceMs?: number;
}

/** Options of `openPostgresStore`. */
export interface PostgresStoreOptions extends PostgresOptions {
  /** Tells the time by which leases end. Default: the database's clock, which all processes share. */
  readonly clock?: Pick<Clock, "now">;
}
