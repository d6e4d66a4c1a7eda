import type { DatabaseSync } from "node:sqlite";
import type { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { beginChain, extendChain, type Link } from "./event-chain.ts";
import { parseRecord } from "./event-record.ts";
import { putTextsBack } from "./large-texts.ts";
import { computePosition } from "./sqlite-format.ts";
import type { SqliteRun } from "./sqlite-runs.ts";
import { createSqliteTexts } from "./sqlite-texts.ts";

export interface SqliteEvents {
  /**
   * Adds one event in its own commit, if the run is still held in that epoch and has no such event. Returns whether it was
   * added.
   */
  addAlone(run: number, epoch: number, seq: number, link: Omit<Link, "pieces">): boolean;
  /** Adds events from `seq` on, each with the checksum of itself and all events before it. */
  add(run: number, seq: number, links: readonly Link[]): void;
  /** Deletes all events of a run with their large texts. */
  remove(run: number): void;
  /** Reads at most `limit` events from `fromSeq` on, and checks each of them and that none is missing by the run's row. */
  read(run: SqliteRun, fromSeq: number, limit?: number): BatonEvent[];
}

export function createSqliteEvents(database: DatabaseSync, damaged: (what: string) => BatonError): SqliteEvents {
  const insert = database.prepare("INSERT INTO events (position, text, chain) VALUES (?, ?, ?)");
  const insertIfHeld = database.prepare(`INSERT INTO events (position, text, chain) SELECT ?, ?, ? FROM runs
    WHERE number = ? AND epoch = ? AND owner IS NOT NULL ON CONFLICT DO NOTHING`);
  const chainAt = database.prepare("SELECT chain FROM events WHERE position = ?");
  const select = database.prepare(
    "SELECT position, text, chain FROM events WHERE position >= ? AND position < ? ORDER BY position",
  );

  const removeAll = database.prepare("DELETE FROM events WHERE position >= ? AND position < ?");
  const texts = createSqliteTexts(database);

  const chainBefore = (run: SqliteRun, seq: number): number => {
    if (seq === 0) return beginChain(run.runId);
    const chain = chainAt.get(computePosition(run.number ?? 0, seq - 1))?.["chain"];
    if (typeof chain !== "number") throw damaged(`event ${seq - 1} of run '${run.runId}' is missing`);
    return chain;
  };
  return {
    addAlone: (run, epoch, seq, { text, chain }) =>
      insertIfHeld.run(computePosition(run, seq), text, chain, run, epoch).changes === 1,
    add(run, seq, links) {
      for (const [index, { text, chain, pieces }] of links.entries()) {
        insert.run(computePosition(run, seq + index), text, chain);
        texts.add(run, pieces);
      }
    },
    remove(run) {
      removeAll.run(computePosition(run, 0), computePosition(run + 1, 0));
      texts.remove(run);
    },
    read(run, first, limit = Number.POSITIVE_INFINITY) {
      const { number } = run;
      if (number === undefined || first > run.events || limit === 0) return [];
      const isWhole = first + limit >= run.events;
      const broken = (seq: number, what: string) =>
        damaged(`event ${seq} of run '${run.runId}' ${what}, the ${seq} before it are intact`);
      let chain = chainBefore(run, first);
      const end = isWhole ? computePosition(number + 1, 0) : computePosition(number, first + limit);
      const events = select.all(computePosition(number, first), end).map((row, index) => {
        const seq = first + index;
        if (row["position"] !== computePosition(number, seq) || seq >= run.events)
          throw broken(seq, "is missing or one too many");
        const text = row["text"];
        if (typeof text !== "string") throw broken(seq, "is no text");
        chain = extendChain(chain, text);
        const isSealedOtherwise = seq + 1 === run.sealedEvents && chain !== run.sealedChain;
        if (chain !== row["chain"] || isSealedOtherwise) throw broken(seq, "does not match its checksum");
        const findPiece = (hash: string) => {
          const piece = texts.find(number, hash);
          if (piece === undefined) throw broken(seq, "has lost a part of its text");
          return piece;
        };
        const event = parseRecord(text, run.runId, seq, (value) => putTextsBack(value, findPiece));
        if (typeof event === "string") throw broken(seq, event);
        return event;
      });
      const wanted = isWhole ? run.events - first : limit;
      if (events.length !== wanted) throw broken(first + events.length, "is missing");
      if (isWhole && chain !== run.chain) throw broken(run.events - 1, "is not the last one that was written");
      return events;
    },
  };
}
