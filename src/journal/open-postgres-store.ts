import type { PostgresStoreOptions } from "./postgres-options.ts";
import type { Store } from "./store.ts";

/**
 * Opens the store in a PostgreSQL database, such as `postgres://user:password@host:5432/database`, and creates its schema if there is
 * none. Any number of processes on any number of machines may have it open. It needs the package `pg`.
 *
 * Rejects with a `BatonError`: `bad-option`, `missing-package`, `store-busy`, `store-damaged`, `store-denied`, `store-failed`,
 * `store-full`, `store-not-found`, `store-not-ours`, `store-read-only`, `store-too-new` or `store-unreachable`.
 */
export async function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Promise<Store> {
  const { openInPostgres } = await import("./postgres-store.ts");
  const store = await openInPostgres(url, options, true);
  if (store === undefined) throw new Error("the schema was created and is not there");
  return store;
}

/** Opens the store for commands about what it has; undefined if there is none. It creates nothing. */
export async function openExistingPostgresStore(
  url: string,
  options: PostgresStoreOptions = {},
): Promise<Store | undefined> {
  const { openInPostgres } = await import("./postgres-store.ts");
  return openInPostgres(url, options, false);
}
