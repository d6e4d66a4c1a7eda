import type { Pool } from "pg";
import type { PostgresDatabase } from "../journal/postgres-database.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { Dbos } from "./load-dbos.ts";

type Settings = Parameters<Dbos["DBOS"]["setConfig"]>[0];

/** PostgreSQL's state for a missing right. */
const DENIED = "42501";
/** How often a process looks whether another one has made the tables. */
const LOOK_MS = 50;

/** The schema of DBOS's tables, beside that of the store. */
export function nameDispatchSchema({ schemaName }: Pick<PostgresDatabase, "schemaName">): string {
  return `${schemaName}_dbos`;
}

/** Makes DBOS's tables, or finds them made: whoever may only use them needs no other right. */
export async function prepareTables(
  { DBOS }: Dbos,
  settings: Settings,
  pool: Pool,
  database: PostgresDatabase,
): Promise<void> {
  if (DBOS.isInitialized()) return;
  const launch = async (runMigrations: boolean) => {
    DBOS.setConfig({ ...settings, executorID: "none", runMigrations });
    try {
      await DBOS.launch();
    } finally {
      await DBOS.shutdown();
    }
  };
  if (await findsTables(() => launch(false))) return;
  await alone(pool, database, async () => {
    if (await findsTables(() => launch(false))) return;
    try {
      await launch(true);
    } catch (error) {
      throw findState(error) === DENIED ? explainDenied(database, error) : error;
    }
  });
}

/** Whether DBOS finds all its tables. */
async function findsTables(launch: () => Promise<void>): Promise<boolean> {
  try {
    await launch();
    return true;
  } catch (error) {
    if (error instanceof Error && /schema version|does not exist/.test(error.message)) return false;
    throw error;
  }
}

/**
 * Lets one process at a time do something. Those that wait look again and again, since a statement that waits would hold up the indexes
 * that DBOS makes.
 */
async function alone(pool: Pool, { schemaName }: PostgresDatabase, go: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  const lock = [`baton dispatch ${schemaName}`];
  try {
    for (;;) {
      const { rows } = await client.query("SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS is_mine", lock);
      if (rows[0]?.is_mine === true) break;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    await go();
  } finally {
    await client.query("SELECT pg_advisory_unlock(hashtextextended($1, 0))", lock).catch(() => {});
    client.release();
  }
}

/** The state that PostgreSQL gave, which DBOS wraps. */
function findState(error: unknown): unknown {
  for (let each = error; each instanceof Error; each = "error" in each ? each.error : each.cause)
    if ("code" in each) return each.code;
  return undefined;
}

function explainDenied({ place, schemaName }: PostgresDatabase, cause: unknown): BatonError {
  const message = `the database at ${place} has no tables for workers, and this user may not create the schema ${schemaName}_dbos: start baton serve or baton worker once as the owner of the schema`;
  return new BatonError("store-denied", message, { cause });
}
