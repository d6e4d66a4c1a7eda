import type { RunQuery, Store } from "../run/store.ts";
import { runTable } from "./show/run-table.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface RunsOptions extends RunQuery {
  readonly json?: boolean;
}

/** `baton runs`: the runs that are kept, the newest first. */
export async function runs(
  { json, ...query }: RunsOptions,
  terminal: Terminal,
  store: Pick<Store, "list">,
  now = Date.now(),
): Promise<number> {
  const found = await store.list(query);
  const columns = terminal.screen?.columns ?? Number.POSITIVE_INFINITY;
  if (json) terminal.print(JSON.stringify({ runs: found }, undefined, 2));
  else if (found.length > 0) terminal.print(runTable(found, terminal.style, now, columns).join("\n"));
  else terminal.note("there are no such runs");
  return exitCodes.completed;
}
