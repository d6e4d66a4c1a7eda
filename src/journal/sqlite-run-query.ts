import type { RunQuery } from "./store.ts";

type Condition = readonly [sql: string, ...given: (string | number)[]];

/** What follows `WHERE` in a query for runs: conditions, order and limit. */
export function buildRunQuery(query: RunQuery): { readonly sql: string; readonly given: readonly (string | number)[] } {
  const { status, crew, user, conversation, after, limit } = query;
  const crews = typeof crew === "string" ? [crew] : crew;
  const rows = limit === undefined ? -1 : Math.max(0, Math.trunc(Math.min(limit, Number.MAX_SAFE_INTEGER)));
  const conditions: readonly Condition[] = [
    status === undefined ? ["status IS NOT NULL"] : ["status = ?", status],
    ...(crews === undefined ? [] : [[`crew IN (${crews.map(() => "?").join(", ")})`, ...crews] as const]),
    ...(user === undefined ? [] : [["user = ?", user] as const]),
    ...(conversation === undefined ? [] : [["conversation = ?", conversation] as const]),
    ...(after === undefined
      ? []
      : [["(started_at, number) < (SELECT started_at, number FROM runs WHERE run_id = ?)", after] as const]),
  ];
  return {
    sql: `${conditions.map(([sql]) => sql).join(" AND ")} ORDER BY started_at DESC, number DESC LIMIT ?`,
    given: [...conditions.flatMap(([, ...given]) => given), rows],
  };
}
