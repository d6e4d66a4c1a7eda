import { createHash } from "node:crypto";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { PostgresServer } from "../test/postgres-server.ts";

/** Where a run and its world are: a folder with the crew's files and logs, and a store that belongs to the folder. */
export interface Places {
  /** The name of the folder's store: a file, or an address. */
  nameStore(folder: string): string;
  copy(from: string, to: string): Promise<void>;
  remove(folder: string): Promise<void>;
  /** Removes the folder and all whose names begin with its name. */
  removeAll(folder: string): Promise<void>;
}

/** Stores in SQLite files, which are in their folders. */
export const filePlaces: Places = {
  nameStore: (folder) => join(folder, "journal.sqlite"),
  async copy(from, to) {
    cpSync(from, to, { recursive: true });
  },
  async remove(folder) {
    rmSync(folder, { recursive: true, force: true });
  },
  async removeAll(folder) {
    rmSync(folder, { recursive: true, force: true });
  },
};

/** Stores in PostgreSQL, each in a schema of its own, which is copied with its folder. */
export async function openPostgresPlaces(server: PostgresServer): Promise<Places & { close(): Promise<void> }> {
  const [{ default: pg }, { TABLE_NAMES }] = await Promise.all([
    import("pg"),
    import("../src/journal/postgres-format.ts"),
  ]);
  const pool = new pg.Pool({ connectionString: server.url(), max: 4 });
  const folders = new Set<string>();
  const nameSchema = (folder: string) => `p_${createHash("sha256").update(folder).digest("hex").slice(0, 32)}`;
  const remove = async (folder: string) => {
    folders.delete(folder);
    rmSync(folder, { recursive: true, force: true });
    await pool.query(`DROP SCHEMA IF EXISTS ${nameSchema(folder)} CASCADE`);
  };
  return {
    nameStore(folder) {
      folders.add(folder);
      return `${server.url()}&schema=${nameSchema(folder)}`;
    },
    async copy(from, to) {
      if (existsSync(from)) cpSync(from, to, { recursive: true });
      folders.add(to);
      const [source, target] = [nameSchema(from), nameSchema(to)];
      const found = await pool.query("SELECT to_regnamespace($1) IS NOT NULL AS is_there", [source]);
      if (found.rows[0]?.is_there !== true) return;
      const tables = ["format", ...TABLE_NAMES].map(
        (table) => `CREATE TABLE ${target}.${table} (LIKE ${source}.${table} INCLUDING ALL);
          INSERT INTO ${target}.${table} OVERRIDING SYSTEM VALUE SELECT * FROM ${source}.${table};`,
      );
      const numbers = ["runs", "memories"].map(
        (table) =>
          `SELECT setval(pg_get_serial_sequence('${target}.${table}', 'number'), max(number)) FROM ${target}.${table};`,
      );
      // What the killed process sent last may be carried out only now: all tables are copied as they are at one moment.
      await pool.query(
        `BEGIN ISOLATION LEVEL REPEATABLE READ; CREATE SCHEMA ${target}; ${tables.join("\n")} ${numbers.join("\n")} COMMIT`,
      );
    },
    remove,
    async removeAll(folder) {
      for (const each of [...folders]) if (each.startsWith(folder)) await remove(each);
      rmSync(folder, { recursive: true, force: true });
    },
    close: () => pool.end(),
  };
}
