import { createHash } from "node:crypto";
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { BatonError } from "../vocabulary/errors.ts";
import type { FoundMemory, MemoryQuery, StoredMemory } from "./memory-entry.ts";
import { createVectorIndex } from "./sqlite-vectors.ts";
import { createWordIndex } from "./sqlite-words.ts";
import type { MemoryTable } from "./tables.ts";

const ROWS = "SELECT number, id, scope, entry, superseded_by, expires_at, checksum FROM memories";
const SAVE = `INSERT INTO memories (id, scope, text_hash, entry, vector, at, expires_at, superseded_by, checksum)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`;
/** Expired and superseded entries are found, too, and left out. */
const SPARE = 50;

/** The entries of memory in a file. Statements are prepared when they are first needed, since most runs have no memory. */
export function createSqliteMemories(database: DatabaseSync, damaged: (what: string) => BatonError): MemoryTable {
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  const vectors = createVectorIndex(prepare);
  const words = createWordIndex(prepare);
  const read = (row: Row): StoredMemory => {
    const { id, scope, entry, superseded_by: newer } = row;
    const supersededBy = typeof newer === "string" ? newer : undefined;
    if (computeChecksum(scope, entry, supersededBy) !== row["checksum"])
      throw damaged(`memory '${id}' does not match its checksum`);
    return { ...JSON.parse(String(entry)), ...(supersededBy !== undefined && { supersededBy }) };
  };
  const find = ({ scope, id, limit = -1 }: MemoryQuery): Row[] => {
    const where = [...(scope === undefined ? [] : ["scope = ?"]), ...(id === undefined ? [] : ["id = ?"])];
    const sql = `${ROWS} ${where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`} ORDER BY at DESC, number DESC LIMIT ?`;
    return prepare(sql).all(...(scope === undefined ? [] : [scope]), ...(id === undefined ? [] : [id]), limit);
  };
  const remove = (row: Row) => {
    words.remove(Number(row["number"]), read(row));
    prepare("DELETE FROM memories WHERE number = ?").run(row["number"] ?? null);
  };
  return {
    findText(scope, text) {
      const row = prepare(`${ROWS} WHERE scope = ? AND text_hash = ?`).get(scope, hashText(text));
      return row && read(row);
    },
    save(stored) {
      const { supersededBy, ...entry } = stored;
      for (const older of find({ id: entry.id })) remove(older);
      const text = JSON.stringify(entry);
      const vector = entry.vector && new Uint8Array(Float32Array.from(entry.vector).buffer);
      const given = [entry.id, entry.scope, hashText(entry.text), text, vector ?? null, entry.at] as const;
      const checksum = computeChecksum(entry.scope, text, supersededBy);
      const row = prepare(SAVE).get(...given, entry.expiresAt ?? null, supersededBy ?? null, checksum);
      words.add(Number(row?.["number"]), entry);
    },
    count: (scope) => Number(prepare("SELECT count(*) AS n FROM memories WHERE scope = ?").get(scope)?.["n"]),
    list: (query) => find(query).map(read),
    oldest: (scope, limit) =>
      prepare("SELECT id FROM memories WHERE scope = ? ORDER BY at, number LIMIT ?")
        .all(scope, limit)
        .map(({ id }) => ({ id: String(id) })),
    erase(query) {
      const found = find(query);
      for (const row of found) remove(row);
      return found.length;
    },
    search({ scope, by, limit }, now) {
      if (limit <= 0) return [];
      const count = limit + SPARE;
      const found = "vector" in by ? vectors.search(scope, by.vector, count) : words.search(scope, by.terms, count);
      const entries = found.flatMap(({ number, score }): FoundMemory[] => {
        const row = prepare(`${ROWS} WHERE number = ?`).get(number);
        const isOpen = row?.["scope"] === scope && row["superseded_by"] === null && isFuture(row["expires_at"], now);
        return isOpen ? [{ ...read(row), score }] : [];
      });
      return entries.slice(0, limit);
    },
  };
}

type Row = Record<string, SQLOutputValue>;

function isFuture(expiresAt: SQLOutputValue | undefined, now: number): boolean {
  return typeof expiresAt !== "number" || expiresAt > now;
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function computeChecksum(scope: unknown, entry: unknown, supersededBy: string | undefined): number {
  return crc32(JSON.stringify([scope, entry, supersededBy ?? null]));
}
