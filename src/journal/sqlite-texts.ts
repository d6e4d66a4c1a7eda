import type { DatabaseSync } from "node:sqlite";
import { hashOfPiece, type Piece } from "./large-texts.ts";

interface SqliteTexts {
  /** Stores the pieces that the run does not have yet. */
  add(run: number, pieces: readonly Piece[]): void;
  /** Deletes all pieces of a run. */
  remove(run: number): void;
  /** Undefined if a piece is missing or damaged. */
  find(run: number, hash: string): string | undefined;
}

/** The pieces of large texts. */
export function createSqliteTexts(database: DatabaseSync): SqliteTexts {
  const insert = database.prepare("INSERT INTO texts (run, hash, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
  const select = database.prepare("SELECT text FROM texts WHERE run = ? AND hash = ?");
  const remove = database.prepare("DELETE FROM texts WHERE run = ?");
  return {
    remove: (run) => void remove.run(run),
    add(run, pieces) {
      for (const { hash, json } of pieces) insert.run(run, hash, json);
    },
    find(run, hash) {
      const json = select.get(run, hash)?.["text"];
      return typeof json === "string" && hashOfPiece(json) === hash ? JSON.parse(json) : undefined;
    },
  };
}
