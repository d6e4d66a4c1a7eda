import type { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { EventRecord } from "./event-record.ts";
import type { HandoffRecord } from "./handoff-record.ts";
import { isAsDecided } from "./postgres-append-documents.ts";
import { type Entry, planAppends, type Write } from "./postgres-append-plan.ts";
import { buildAppend, readWritten } from "./postgres-append-statement.ts";
import type { PostgresDatabase } from "./postgres-database.ts";
import { isPassing } from "./postgres-errors.ts";
import type { HeldRuns } from "./postgres-held-runs.ts";
import type { PostgresRun, PostgresRuns } from "./postgres-runs.ts";
import type { Lease } from "./store.ts";

/** Collects what all runs of the process append in one turn of the event loop into one statement. */
export interface PostgresAppends {
  append(lease: Lease, records: readonly EventRecord[], handoffs: readonly HandoffRecord[]): Promise<void>;
  /** Resolves when nothing is waiting any more. */
  settled(): Promise<void>;
}

interface Surroundings {
  readonly database: PostgresDatabase;
  readonly runs: PostgresRuns;
  readonly held: HeldRuns;
  readonly clockNow: () => number | null;
  /** Called after a commit with the numbers of runs that readers in other processes follow. */
  readonly onFollowed: (numbers: readonly number[]) => void;
}

/** The most characters of events in one statement, unless a single append has more. */
const GROUP_CHARS = 4 * 2 ** 20;

export function createPostgresAppends(surroundings: Surroundings): PostgresAppends {
  const { database, held } = surroundings;
  let waiting: Write[] = [];
  let isFlushing = false;
  let onSettled: (() => void)[] = [];

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const writes = takeGroup(waiting);
      waiting = waiting.slice(writes.length);
      await commit(writes, surroundings);
    }
    isFlushing = false;
    for (const each of onSettled) each();
    onSettled = [];
  };
  return {
    append(lease, records, handoffs) {
      return new Promise((resolve, reject) => {
        const until = held.safeUntil(lease) ?? performance.now() + database.patienceMs;
        waiting.push({ lease, records, handoffs, until, resolve, reject });
        if (isFlushing) return;
        isFlushing = true;
        // At the end of the turn, so that all runs of the turn share a statement. What comes while it is under way shares the next.
        // A single run does not need to wait.
        if (held.rows.size > 1) setImmediate(() => void flush());
        else process.nextTick(() => void flush());
      });
    },
    settled: () =>
      new Promise((resolve) => {
        if (isFlushing) onSettled.push(resolve);
        else resolve();
      }),
  };
}

function takeGroup(waiting: readonly Write[]): readonly Write[] {
  let chars = 0;
  const end = waiting.findIndex(({ records }, index) => {
    for (const { text } of records) chars += text.length;
    return chars > GROUP_CHARS && index > 0;
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}

/** Writes all that can be written; every write is resolved or rejected by the end. */
async function commit(writes: readonly Write[], surroundings: Surroundings): Promise<void> {
  const { database, runs, held } = surroundings;
  let left = writes;
  let unknown: readonly Entry[] = [];
  for (let attempt = 0; left.length > 0; attempt++) {
    try {
      const rows = attempt === 0 ? held.rows : await readRows(left, runs);
      // Where the connection was lost, the row shows whether the statement was carried out.
      const done = unknown.filter(({ after }) => isAsDecided(rows.get(after.runId), after));
      for (const entry of done) succeed(entry, held);
      left = left.filter((write) => !done.some((entry) => entry.writes.includes(write)));
      const plan = planAppends(left, rows, attempt === 0);
      for (const [write, error] of plan.refused) refuse(write, error, held);
      left = [...plan.undecided, ...plan.entries.flatMap((entry) => entry.writes)];
      unknown = plan.entries;
      const written = await send(plan.entries, surroundings);
      unknown = [];
      for (const entry of written) succeed(entry, held);
      left = left.filter((write) => !written.some((entry) => entry.writes.includes(write)));
    } catch (error) {
      if (unknown.length > 1 && !isPassing(error)) {
        // One of them may be the cause, so each is tried on its own.
        for (const ofRun of Map.groupBy(left, ({ lease }) => lease.runId).values()) await commit(ofRun, surroundings);
        return;
      }
      left = await waitForAnother(left, error, attempt, database);
    }
  }
}

/** Gives the entries whose rows still were what was decided on, and are written. */
async function send(
  entries: readonly Entry[],
  { database, clockNow, onFollowed }: Surroundings,
): Promise<readonly Entry[]> {
  if (entries.length === 0) return [];
  const until = Math.max(...entries.flatMap(({ writes }) => writes.map((write) => write.until)));
  const statement = buildAppend(database.schema, entries, clockNow());
  const { numbers, followed } = readWritten(await database.queryOnce(statement, until - performance.now()));
  if (followed.length > 0) onFollowed(followed);
  return entries.filter(({ before }) => numbers.has(before.number));
}

function readRows(writes: readonly Write[], runs: PostgresRuns): Promise<ReadonlyMap<RunId, PostgresRun>> {
  const until = Math.max(...writes.map((write) => write.until));
  return runs.findAll([...new Set(writes.map(({ lease }) => lease.runId))], until);
}

function succeed({ after, writes }: Entry, held: HeldRuns): void {
  held.note(after);
  for (const { resolve } of writes) resolve();
}

function refuse({ lease, reject }: Write, error: BatonError, held: HeldRuns): void {
  if (error.code === "stale-owner") held.drop(lease);
  reject(error);
}

/** Waits while somebody's lease allows it, and gives the writes that still have time. All others are refused. */
async function waitForAnother(
  writes: readonly Write[],
  error: unknown,
  attempt: number,
  database: PostgresDatabase,
): Promise<readonly Write[]> {
  const rejectAll = (refused: readonly Write[], why: unknown) => {
    for (const { reject } of refused) reject(why);
  };
  const [late, inTime] = [true, false].map((isLate) =>
    writes.filter(({ until }) => performance.now() >= until === isLate),
  );
  try {
    await database.waitAfter(error, attempt, Math.max(0, ...writes.map(({ until }) => until)));
    return inTime ?? [];
  } catch (why) {
    rejectAll(inTime ?? [], why);
    return [];
  } finally {
    rejectAll(late ?? [], database.explainSilence(error));
  }
}
