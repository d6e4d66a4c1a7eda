import { BatonError } from "../vocabulary/errors.ts";
import { locateStore } from "./locate-store.ts";
import type { SqliteStoreOptions } from "./sqlite-store.ts";
import type { Store } from "./store.ts";

/**
 * Opens the store in a file, and creates it if there is none. Several processes may have it open. Without a file, the store is
 * `journal.sqlite` in the folder that `BATON_HOME` names, or in `.baton` in the working directory, where `baton runs` finds it.
 *
 * Rejects with a `BatonError`: `bad-option`, `store-busy`, `store-damaged`, `store-failed`, `store-full`, `store-not-ours`,
 * `store-read-only` or `store-too-new`.
 */
export async function openSqliteStore(
  file: string = locateStore(process.cwd(), process.env),
  options: SqliteStoreOptions = {},
): Promise<Store> {
  if (typeof file !== "string" || file === "")
    throw new BatonError(
      "bad-option",
      `openSqliteStore takes the path of a file as text; got ${file === "" ? "nothing" : typeof file}`,
    );
  const { openInSqlite } = await import("./sqlite-store.ts");
  return openInSqlite(file, options);
}

/** Opens the store in a file for reading, even if the file cannot be written; undefined if there is none. It creates nothing. */
export async function openExistingSqliteStore(file: string): Promise<Store | undefined> {
  const { openExistingInSqlite } = await import("./sqlite-store.ts");
  return openExistingInSqlite(file);
}
