import type { RunId } from "../vocabulary/ids.ts";
import type { PostgresDatabase } from "./postgres-database.ts";
import { NOW } from "./postgres-runs.ts";

/** Readers of runs that are under way, in this process or in others. */
export interface PostgresFollowers {
  follow(runId: RunId): Follower;
  /** Tells the readers in this process. */
  wake(runId: RunId): void;
  /** Tells readers in other processes, some of which follow these runs. */
  notify(numbers: readonly number[]): void;
  close(): void;
}

export interface Follower {
  /** How often the run may have continued. */
  changes(): number;
  /** Waits until it may have continued since it had done so for the given number of times, or until the signal is aborted. */
  wait(changes: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** What is known of a run that somebody follows. */
interface Followed {
  readonly wakes: Set<() => void>;
  readers: number;
  changes: number;
  number: number | undefined;
  /** How many events it had when this was last asked. */
  events: number;
}

/** Notices may be lost, so the readers look by themselves, too: seldom while notices come, and more often while none can. */
const POLL_MS = 1000;
const POLL_ALONE_MS = 200;
/** For how long a writer tells readers of a run after one of them said that it follows the run. */
const FOLLOWED_MS = 10_000;
/** Notices wait for others for this long, so that many appends are told together. */
const COALESCE_MS = 5;
/** PostgreSQL takes up to 8000 bytes in a notice, and the largest number has 19 digits. */
const NUMBERS_IN_NOTICE = 390;

/**
 * Notices are sent after a commit, never in it: PostgreSQL lets only one transaction with a notice commit at a time. They are sent
 * only for runs that somebody follows, which readers write into the run's row, where every append sees it.
 */
export function createPostgresFollowers(
  database: PostgresDatabase,
  clockNow: () => number | null,
  isHeldHere: (runId: RunId) => boolean,
): PostgresFollowers {
  const channel = `baton:${database.schemaName}`;
  const followed = new Map<RunId, Followed>();
  const notifier = createNotifier(database, channel);
  const watch = createWatch(database, channel, followed, clockNow, isHeldHere);
  return {
    follow(runId) {
      const run = followed.get(runId) ?? { wakes: new Set(), readers: 0, changes: 0, number: undefined, events: 0 };
      followed.set(runId, run);
      run.readers++;
      watch.start();
      return {
        changes: () => run.changes,
        wait: (changes, signal) => waitForChange(run, changes, signal),
        stop() {
          run.readers--;
          if (run.readers === 0) followed.delete(runId);
          if (followed.size === 0) watch.stop();
        },
      };
    },
    wake(runId) {
      const run = followed.get(runId);
      if (run !== undefined) wakeRun(run);
    },
    notify: notifier.notify,
    close() {
      notifier.stop();
      for (const run of followed.values()) wakeRun(run);
      followed.clear();
      watch.stop();
    },
  };
}

function wakeRun(run: Followed): void {
  run.changes++;
  for (const wake of [...run.wakes]) wake();
}

/** Listens for notices while somebody follows a run, and looks without them now and then. */
function createWatch(
  database: PostgresDatabase,
  channel: string,
  followed: ReadonlyMap<RunId, Followed>,
  clockNow: () => number | null,
  isHeldHere: (runId: RunId) => boolean,
) {
  let stopListening: (() => void) | undefined;
  let poll: NodeJS.Timeout | undefined;
  let isListening = false;

  const wakeAll = () => {
    for (const run of followed.values()) wakeRun(run);
  };
  const onNotice = (payload: string) => {
    const numbers = new Set(payload.split(",").map(Number));
    for (const run of followed.values()) if (run.number !== undefined && numbers.has(run.number)) wakeRun(run);
  };
  const look = async () => {
    const runIds = [...followed.keys()];
    const elsewhere = runIds.filter((runId) => !isHeldHere(runId));
    await markFollowed(database, clockNow, elsewhere);
    for (const { runId, number, events } of await readCounts(database, runIds)) {
      const run = followed.get(runId);
      if (run === undefined) continue;
      const hasChanged = run.events !== events;
      Object.assign(run, { number, events });
      if (hasChanged) wakeRun(run);
    }
  };
  const schedule = () => {
    clearTimeout(poll);
    if (followed.size === 0) return;
    const isKnown = [...followed.values()].every(({ number }) => number !== undefined);
    poll = setTimeout(lookAgain, isListening && isKnown ? POLL_MS : POLL_ALONE_MS);
  };
  const lookAgain = () => {
    // If the database cannot be asked, the readers try, and throw what is wrong.
    look().catch(wakeAll).finally(schedule);
  };
  const onChange = (isOn: boolean) => {
    isListening = isOn;
    // Something may have been added before.
    wakeAll();
    schedule();
  };
  return {
    start() {
      stopListening ??= database.listen(channel, { onNotice, onChange });
      clearTimeout(poll);
      poll = setTimeout(lookAgain, 0);
    },
    stop() {
      clearTimeout(poll);
      stopListening?.();
      stopListening = undefined;
      isListening = false;
    },
  };
}

/** Sends notices about runs, those of a few milliseconds at once. */
function createNotifier({ queryOnce }: PostgresDatabase, channel: string) {
  const told = new Set<number>();
  let telling: NodeJS.Timeout | undefined;
  const tell = () => {
    telling = undefined;
    const numbers = [...told];
    told.clear();
    for (let at = 0; at < numbers.length; at += NUMBERS_IN_NOTICE) {
      const payload = numbers.slice(at, at + NUMBERS_IN_NOTICE).join(",");
      // Readers that miss a notice look by themselves a moment later.
      queryOnce({ text: "SELECT pg_notify($1, $2)", values: [channel, payload] }, POLL_MS).catch(() => {});
    }
  };
  return {
    notify(numbers: readonly number[]) {
      for (const number of numbers) told.add(number);
      telling ??= setTimeout(tell, COALESCE_MS);
    },
    stop: () => clearTimeout(telling),
  };
}

function waitForChange(run: Followed, changes: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (run.changes !== changes || signal.aborted) return resolve();
    const wake = () => {
      run.wakes.delete(wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    run.wakes.add(wake);
    signal.addEventListener("abort", wake, { once: true });
  });
}

/** Lets whoever writes to the runs know that somebody follows them. A run that this process writes itself needs no notice. */
async function markFollowed(
  { schema, query }: PostgresDatabase,
  clockNow: () => number | null,
  runIds: readonly RunId[],
): Promise<void> {
  if (runIds.length === 0) return;
  await query({
    name: `follow ${schema}`,
    text: `UPDATE ${schema}.runs SET followed_until = ${NOW} + ${FOLLOWED_MS}
      WHERE run_id = ANY ($2::text[]) AND followed_until < ${NOW} + ${FOLLOWED_MS / 2}`,
    values: [clockNow(), runIds],
  });
}

async function readCounts({ schema, query }: PostgresDatabase, runIds: readonly RunId[]) {
  if (runIds.length === 0) return [];
  const rows = await query({
    name: `look ${schema}`,
    text: `SELECT run_id, number, events FROM ${schema}.runs WHERE run_id = ANY ($1::text[])`,
    values: [runIds],
  });
  return rows.map((row) => ({
    runId: String(row["run_id"]) as RunId,
    number: Number(row["number"]),
    events: Number(row["events"]),
  }));
}
