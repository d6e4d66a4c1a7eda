import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { BatonError } from "../vocabulary/errors.ts";
import type { RunRow } from "./run-row.ts";
import type { StoredDocument } from "./store.ts";
import type { Tables } from "./tables.ts";

export type SqliteDocuments = Pick<
  Tables<RunRow>,
  "findDocument" | "saveDocument" | "dropDocument" | "documents" | "kinds"
>;

const SELECT = "SELECT key, value, version, checksum FROM documents WHERE kind = ?";
const SAVE = `INSERT INTO documents (kind, key, value, version, checksum) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET value = excluded.value, version = excluded.version, checksum = excluded.checksum`;

export function createSqliteDocuments(database: DatabaseSync, damaged: (what: string) => BatonError): SqliteDocuments {
  const find = database.prepare(`${SELECT} AND key = ?`);
  const findInTable = database.prepare("SELECT version FROM documents NOT INDEXED WHERE kind = ? AND key = ?");
  const listKinds = database.prepare("SELECT DISTINCT kind FROM documents");
  const list = database.prepare(SELECT);
  const save = database.prepare(SAVE);
  const drop = database.prepare("DELETE FROM documents WHERE kind = ? AND key = ?");
  const read = (kind: string, row: Record<string, SQLOutputValue>): StoredDocument => {
    // A value of another type would not match the checksum.
    const [key, text, version] = [String(row["key"]), String(row["value"]), Number(row["version"])];
    if (computeChecksum(kind, key, text, version) !== row["checksum"])
      throw damaged(`document '${key}' of kind '${kind}' does not match its checksum`);
    return { key, value: JSON.parse(text), version };
  };
  return {
    findDocument(kind, key) {
      const row = find.get(kind, key);
      if (row !== undefined) return read(kind, row);
      // There are few documents, so a second look is cheap. A document that is wrongly taken for absent would be started anew.
      if (findInTable.get(kind, key) === undefined) return undefined;
      throw damaged(`document '${key}' of kind '${kind}' is there, and its index does not know it`);
    },
    saveDocument: (kind, key, text, version) =>
      void save.run(kind, key, text, version, computeChecksum(kind, key, text, version)),
    dropDocument: (kind, key) => void drop.run(kind, key),
    kinds: () => listKinds.all().map((row) => String(row["kind"])),
    documents: (kind) => list.all(kind).map((row) => read(kind, row)),
  };
}

function computeChecksum(kind: string, key: string, text: string, version: number): number {
  return crc32(JSON.stringify([kind, key, text, version]));
}
