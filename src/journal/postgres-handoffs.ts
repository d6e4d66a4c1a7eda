import type { RunId } from "../vocabulary/ids.ts";
import type { HandoffQuery, HandoffRecord, StoredHandoff, StoredStatistics } from "./handoff-record.ts";
import type { PostgresDatabase } from "./postgres-database.ts";
import { readAmounts, readCounts, readPath, toHandoff } from "./read-handoff-row.ts";

export interface PostgresHandoffs {
  /** Resolves to false if there is no such run. */
  save(runId: RunId, handoffs: readonly HandoffRecord[]): Promise<boolean>;
  stats(query: HandoffQuery, limit: number): Promise<StoredStatistics>;
  list(query: HandoffQuery, limit: number): Promise<StoredHandoff[]>;
  forget(query: HandoffQuery): Promise<number>;
}

const COLUMNS = "run, seq, crew, source, target, via, at, outcome, cost, ms, loop, gap";
const COUNTS = "count(*) AS handoffs, coalesce(sum(outcome), 0) AS successes, count(outcome) AS known";

/**
 * The statement that stores handoffs, which stand in the parameter `json` as a list of objects, for the runs that `from` selects as
 * `held`.
 */
export function insertHandoffs(schema: string, json: string, from: string): string {
  return `INSERT INTO ${schema}.handoffs (${COLUMNS})
    SELECT h.run, h.seq, h.crew, h.source, h.target, h.via, h.at, h.outcome, h.cost, h.ms, h.loop, h.gap
    FROM json_to_recordset(${json}::json) AS h(run bigint, seq integer, crew text, source text, target text, via text, at float8,
      outcome smallint, cost float8, ms float8, loop text, gap text) JOIN ${from} ON held.number = h.run
    ON CONFLICT (run, seq) DO UPDATE SET (crew, source, target, via, at, outcome, cost, ms, loop, gap) = (excluded.crew,
      excluded.source, excluded.target, excluded.via, excluded.at, excluded.outcome, excluded.cost, excluded.ms, excluded.loop,
      excluded.gap)`;
}

/** Of two handoffs of the same event in one list the later one counts; a statement must not write one row twice. */
export function listHandoffRows(run: number, handoffs: readonly HandoffRecord[]): object[] {
  const bySeq = new Map(handoffs.map((handoff) => [handoff.seq, handoff]));
  return [...bySeq.values()].map(({ seq, crew, from = "", to, via, at, isSuccess, costUsd, ms, loop, unmatched }) => {
    const outcome = isSuccess === undefined ? undefined : Number(isSuccess);
    return { run, seq, crew, source: from, target: to, via, at, outcome, cost: costUsd, ms, loop, gap: unmatched };
  });
}

export function createPostgresHandoffs({ schema, query }: PostgresDatabase): PostgresHandoffs {
  const table = `${schema}.handoffs`;
  return {
    async save(runId, handoffs) {
      const [row] = await query({ text: `SELECT number FROM ${schema}.runs WHERE run_id = $1`, values: [runId] });
      if (row === undefined) return false;
      const json = JSON.stringify(listHandoffRows(Number(row["number"]), handoffs));
      const held = `(SELECT $2::bigint AS number) AS held`;
      await query({ text: insertHandoffs(schema, "$1", held), values: [json, row["number"]] });
      return true;
    },
    async stats(asked, limit) {
      const { where, values } = buildCondition(asked);
      const paths = await query({
        text: `SELECT crew, source, target, via, ${COUNTS}, coalesce(sum(cost), 0) AS cost, count(cost) AS priced, sum(ms) AS ms,
          max(at) AS last_at FROM ${table} h WHERE ${where} GROUP BY crew, source, target, via
          ORDER BY handoffs DESC, crew, source, target, via`,
        values,
      });
      const loops = await query({
        text: `SELECT crew, loop, ${COUNTS} FROM ${table} h WHERE loop IS NOT NULL AND ${where} GROUP BY crew, loop
          ORDER BY handoffs DESC, crew, loop LIMIT $${values.length + 1}`,
        values: [...values, limit],
      });
      const gaps = await query({
        text: `SELECT h.*, run_id, r.input FROM ${table} h JOIN ${schema}.runs r ON r.number = h.run
          WHERE gap IS NOT NULL AND ${where} ORDER BY at DESC LIMIT $${values.length + 1}`,
        values: [...values, limit],
      });
      return {
        paths: paths.map((row) => ({ ...readPath(row), ...readCounts(row), ...readAmounts(row) })),
        loops: loops.map((row) => ({ crew: String(row["crew"]), loop: String(row["loop"]), ...readCounts(row) })),
        unmatchedInputs: gaps.map(toHandoff),
      };
    },
    async list(asked, limit) {
      const { where, values } = buildCondition(asked);
      const rows = await query({
        text: `SELECT n.*, run_id, r.input FROM
          (SELECT h.*, row_number() OVER (PARTITION BY crew, source, target, via ORDER BY run DESC, seq DESC) AS place
            FROM ${table} h WHERE ${where}) n
          JOIN ${schema}.runs r ON r.number = n.run WHERE place <= $${values.length + 1}
          ORDER BY n.crew, source, target, via, run DESC, seq DESC`,
        values: [...values, limit],
      });
      return rows.map(toHandoff);
    },
    async forget(asked) {
      const { where, values } = buildCondition(asked);
      const [row] = await query({
        text: `WITH gone AS (DELETE FROM ${table} h WHERE ${where} RETURNING 1) SELECT count(*) AS count FROM gone`,
        values,
      });
      return Number(row?.["count"]);
    },
  };
}

/** A sub-crew's name begins with the name of its crew and a `/`; `0` is the character after `/`. */
function buildCondition({ crew, from, to, via, since }: HandoffQuery): { where: string; values: readonly unknown[] } {
  const values: unknown[] = [];
  const given = (value: unknown) => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (crew !== undefined)
    conditions.push(`(h.crew = ${given(crew)} OR h.crew >= ${given(`${crew}/`)} AND h.crew < ${given(`${crew}0`)})`);
  if (from !== undefined) conditions.push(`source = ${given(from)}`);
  if (to !== undefined) conditions.push(`target = ${given(to)}`);
  if (via !== undefined) conditions.push(`via = ${given(via)}`);
  if (since !== undefined) conditions.push(`at >= ${given(since)}`);
  return { where: conditions.length === 0 ? "TRUE" : conditions.join(" AND "), values };
}
