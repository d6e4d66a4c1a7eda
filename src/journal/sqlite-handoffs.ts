import type { DatabaseSync } from "node:sqlite";
import type { HandoffPath, HandoffQuery, HandoffRecord, StoredHandoff, StoredStatistics } from "./handoff-record.ts";
import { readAmounts, readCounts, readPath, toHandoff } from "./read-handoff-row.ts";

export interface SqliteHandoffs {
  save(run: number, handoffs: readonly HandoffRecord[]): void;
  stats(query: HandoffQuery, limit: number): StoredStatistics;
  list(query: HandoffQuery, limit: number): StoredHandoff[];
  forget(query: HandoffQuery): number;
  /** Deletes the handoffs of a run. */
  remove(run: number): void;
}

/**
 * The index contains every column of the sums, and the rows of a path are adjacent, so a million of them are summed up as they
 * are read.
 */
const SUMS = `SELECT path, count(*) AS handoffs, total(outcome) AS successes, count(outcome) AS known, total(cost) AS cost,
  count(cost) AS priced, total(ms) AS ms, max(at) AS last_at FROM handoffs`;
const LOOPS = `SELECT crew, loop, count(*) AS handoffs, total(outcome) AS successes, count(outcome) AS known
  FROM handoffs JOIN paths ON id = path WHERE loop IS NOT NULL`;
const ROWS = `SELECT run_id, runs.input AS input, seq, at, outcome, cost, ms, loop, gap, paths.crew AS crew, source, target, via
  FROM handoffs JOIN paths ON id = path JOIN runs ON number = run`;

/** The handoffs in a file: numbered paths, and the handoffs of each path in the order in which their runs began. */
export function createSqliteHandoffs(database: DatabaseSync): SqliteHandoffs {
  const addPath = database.prepare(
    `INSERT INTO paths (crew, source, target, via) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET via = excluded.via RETURNING id`,
  );
  const add = database.prepare("INSERT OR REPLACE INTO handoffs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const remove = database.prepare("DELETE FROM handoffs WHERE path IN (SELECT id FROM paths) AND run = ?");
  const listPaths = (query: HandoffQuery) => {
    const { sql, given } = buildCondition(query);
    return database.prepare(`SELECT id, crew, source, target, via FROM paths WHERE ${sql}`).all(...given);
  };
  const within = (query: HandoffQuery) => {
    const { sql, given } = buildCondition(query);
    const isAll = given.length === 0;
    const since = query.since === undefined ? [] : [query.since];
    const path = isAll ? "TRUE" : `path IN (SELECT id FROM paths WHERE ${sql})`;
    return { where: `${path}${since.length === 0 ? "" : " AND at >= ?"}`, given: [...given, ...since] };
  };
  return {
    save(run, handoffs) {
      for (const { crew, from = "", to, via, ...handoff } of handoffs) {
        const { seq, at, isSuccess, costUsd = null, ms, loop = null, unmatched = null } = handoff;
        const path = Number(addPath.get(crew, from, to, via)?.["id"]);
        add.run(path, run, seq, at, isSuccess === undefined ? null : Number(isSuccess), costUsd, ms, loop, unmatched);
      }
    },
    stats(query, limit) {
      const { where, given } = within(query);
      const paths = new Map(listPaths(query).map((row) => [row["id"], readPath(row)]));
      const sums = database.prepare(`${SUMS} WHERE ${where} GROUP BY path`).all(...given);
      const loops = database.prepare(
        `${LOOPS} AND ${where} GROUP BY crew, loop ORDER BY handoffs DESC, crew, loop LIMIT ?`,
      );
      const unmatched = database.prepare(`${ROWS} WHERE gap IS NOT NULL AND ${where} ORDER BY at DESC LIMIT ?`);
      return {
        paths: sums
          .flatMap((row) => {
            const path = paths.get(row["path"] ?? null);
            return path === undefined ? [] : [{ ...path, ...readCounts(row), ...readAmounts(row) }];
          })
          .sort((a, b) => b.handoffs - a.handoffs || (formatName(a) < formatName(b) ? -1 : 1)),
        loops: loops.all(...given, limit).map((row) => ({
          crew: String(row["crew"]),
          loop: String(row["loop"]),
          ...readCounts(row),
        })),
        unmatchedInputs: unmatched.all(...given, limit).map(toHandoff),
      };
    },
    list(query, limit) {
      const { since = Number.NEGATIVE_INFINITY } = query;
      const newest = database.prepare(`${ROWS} WHERE path = ? AND at >= ? ORDER BY run DESC, seq DESC LIMIT ?`);
      return listPaths(query).flatMap(({ id = null }) => newest.all(id, since, limit).map(toHandoff));
    },
    remove: (run) => void remove.run(run),
    forget(query) {
      const { where, given } = within(query);
      return Number(database.prepare(`DELETE FROM handoffs WHERE ${where}`).run(...given).changes);
    },
  };
}

/**
 * Builds the condition for a query. A sub-crew's name begins with the name of its crew and a `/`; `0` is the character after
 * `/`.
 */
function buildCondition({ crew, from, to, via }: HandoffQuery): {
  readonly sql: string;
  readonly given: readonly string[];
} {
  const conditions: readonly (readonly [sql: string, ...given: string[]])[] = [
    ...(crew === undefined ? [] : [["(crew = ? OR crew >= ? AND crew < ?)", crew, `${crew}/`, `${crew}0`] as const]),
    ...(from === undefined ? [] : [["source = ?", from] as const]),
    ...(to === undefined ? [] : [["target = ?", to] as const]),
    ...(via === undefined ? [] : [["via = ?", via] as const]),
  ];
  const sql = conditions.map(([each]) => each).join(" AND ");
  return { sql: sql === "" ? "TRUE" : sql, given: conditions.flatMap(([, ...given]) => given) };
}

function formatName({ crew, from = "", to, via }: HandoffPath): string {
  return `${crew}\0${from}\0${to}\0${via}`;
}
