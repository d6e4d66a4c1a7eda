import type { RunQuery, Store, StoredRun } from "../journal/store.ts";
import { threadRuns } from "../library/find-thread.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { explainAbsentConversation } from "./explain-absent-conversation.ts";
import type { ListedRun } from "./show/run-table.ts";
import { runTable } from "./show/run-table.ts";
import { countColumns, exitCodes, type Terminal } from "./terminal.ts";

export interface RunsOptions extends RunQuery {
  readonly conversation?: string;
  readonly json?: boolean;
  /** A line of JSON for each run or, with `events`, for each event of them. */
  readonly jsonl?: boolean;
  readonly events?: boolean;
}

/** As many as are taken in at a glance; what programs read is not cut. */
const SHOWN = 20;

type RunsStore = Pick<Store, "list" | "read" | "get" | "documents">;

/** `baton runs`: the stored runs, the newest first; or their events, the oldest first. */
export async function runs(
  options: RunsOptions,
  terminal: Terminal,
  store: RunsStore,
  now = Date.now(),
): Promise<number> {
  const { json, jsonl, events } = options;
  const stored = await formatRuns(
    { ...options, limit: options.limit ?? (jsonl ? Number.POSITIVE_INFINITY : SHOWN) },
    store,
  );
  const found = await Promise.all(stored.map((run) => addDeadline(run, store)));
  if (jsonl && events) await printEvents(found, terminal, store);
  else if (jsonl) for (const run of found) terminal.print(JSON.stringify(run));
  else if (json) terminal.print(JSON.stringify({ runs: found }, undefined, 2));
  else if (found.length > 0) terminal.print(runTable(found, terminal.style, now, countColumns(terminal)).join("\n"));
  else terminal.note(isFiltered(options) ? "no stored run matches these options" : "no runs are stored here yet");
  return exitCodes.completed;
}

function isFiltered({ status, crew, user, conversation }: RunsOptions): boolean {
  return [status, crew, user, conversation].some((filter) => filter !== undefined);
}

async function addDeadline(run: StoredRun, store: RunsStore): Promise<ListedRun> {
  if (run.status !== "paused") return run;
  const [last] = (await store.read(run.runId, run.events - 1)).slice(-1);
  if (last?.type !== "run.paused" || last.data.expiresAt === undefined) return run;
  const { expiresAt, onExpiry = "fail" } = last.data;
  return { ...run, expiresAt, onExpiry };
}

async function formatRuns(
  options: RunsOptions & { readonly limit: number },
  store: RunsStore,
): Promise<readonly StoredRun[]> {
  const { status, crew, user, conversation, limit } = options;
  const query: RunQuery = {
    ...(status !== undefined && { status }),
    ...(crew !== undefined && { crew }),
    ...(user !== undefined && { user }),
    // Conversations of users are found by both, and shared ones by their id alone.
    ...(user !== undefined && conversation !== undefined && { conversation }),
  };
  if (conversation === undefined || user !== undefined)
    return store.list(limit === Number.POSITIVE_INFINITY ? query : { ...query, limit });
  const ids = new Set<RunId>();
  for await (const { runId } of threadRuns(store, conversation)) ids.add(runId);
  if (ids.size === 0) throw await explainAbsentConversation(conversation, store);
  return (await store.list(query)).filter(({ runId }) => ids.has(runId)).slice(0, limit);
}

/** As a log reads: in the order in which the runs began. One run is in memory at a time. */
async function printEvents(found: readonly ListedRun[], terminal: Terminal, store: RunsStore): Promise<void> {
  for (const { runId } of found.toReversed()) {
    const events = await store.read(runId);
    terminal.print(events.map((event) => JSON.stringify(event)).join("\n"));
  }
}
