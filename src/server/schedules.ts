import { Cron } from "croner";
import type { Store } from "../journal/store.ts";
import { ConfigurationError, describeThrown } from "../vocabulary/errors.ts";
import { toRunId } from "../vocabulary/ids.ts";
import type { Schedule, ServedCrews } from "./served-crews.ts";
import type { Supervisor } from "./supervisor.ts";

const KIND = "schedule";
/** Longer waits would make Node fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;
/** How many missed times are made up for. */
const MOST_CAUGHT_UP = 100;
const ended: ReadonlySet<string> = new Set(["run.completed", "run.failed", "run.cancelled"]);

interface SchedulesOptions {
  readonly store: Store;
  readonly crews: ServedCrews;
  readonly supervisor: Pick<Supervisor, "start">;
  readonly note: (message: string) => void;
}

/** What the store remembers of a schedule. */
interface Fired {
  readonly at: number;
  readonly runId?: string | undefined;
}

/** Starts the runs of `schedules:` at their times. Returns what ends that. It throws where a schedule cannot be read. */
export async function startSchedules(options: SchedulesOptions): Promise<() => void> {
  const timers = new Map<string, NodeJS.Timeout>();
  const schedules = options.crews.schedules();
  for (const schedule of schedules) {
    const cron = readCron(schedule);
    if (options.crews.get(schedule.crew) === undefined) {
      options.note(`schedule '${schedule.name}' does nothing: no crew '${schedule.crew}' is served`);
      continue;
    }
    const arm = () => {
      const next = cron.nextRun();
      if (next === null) return;
      const wait = () => {
        const left = next.getTime() - Date.now();
        const onTime = left > 0 ? wait : () => void fire(schedule, next.getTime(), options).finally(arm);
        timers.set(schedule.name, setTimeout(onTime, Math.min(Math.max(left, 0), LONGEST_WAIT_MS)).unref());
      };
      wait();
    };
    const missed = await listMissed(schedule, cron, options);
    // All of them are wanted, so none waits for the one before.
    const caughtUp = missed.length > 1 ? { ...schedule, skipIfRunning: false } : schedule;
    for (const at of missed) await fire(caughtUp, at, options);
    arm();
  }
  return () => {
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

function readCron({ name, cron, timezone }: Schedule): Cron {
  try {
    const read = new Cron(cron, { timezone, paused: true });
    read.nextRun();
    return read;
  } catch (error) {
    throw new ConfigurationError(`schedule '${name}' in baton.yaml cannot be read: ${describeThrown(error)}`, []);
  }
}

/** The times that passed while nobody kept the schedule and are to be made up for, in order. A new schedule has missed nothing. */
async function listMissed(
  { name, catchUp }: Schedule,
  cron: Cron,
  { store, note }: SchedulesOptions,
): Promise<readonly number[]> {
  const fired = await readFired(store, name);
  if (fired.value === undefined) {
    await store.put(KIND, name, { at: Date.now() } satisfies Fired, fired.version);
    return [];
  }
  if (catchUp === "none") return [];
  const { at } = fired.value;
  // The newest first, one more than are made up for.
  const passed = cron
    .previousRuns(catchUp === "last" ? 1 : MOST_CAUGHT_UP + 1)
    .map((time) => time.getTime())
    .filter((time) => time > at);
  if (passed.length > MOST_CAUGHT_UP)
    note(`schedule '${name}' makes up for the last ${MOST_CAUGHT_UP} of the times that it missed`);
  return passed.slice(0, MOST_CAUGHT_UP).sort((a, b) => a - b);
}

/** Starts the run of a time once, however many servers keep the schedule. */
async function fire(schedule: Schedule, at: number, options: SchedulesOptions): Promise<void> {
  const { name, crew, input, user, skipIfRunning } = schedule;
  const { store, crews, supervisor, note } = options;
  try {
    const fired = await readFired(store, name);
    const served = crews.get(crew);
    if (served === undefined || (fired.value !== undefined && fired.value.at >= at && fired.value.runId !== undefined))
      return;
    if (skipIfRunning && (await isUnderWay(store, fired.value?.runId))) {
      note(`schedule '${name}' leaves out ${new Date(at).toISOString()}: run ${fired.value?.runId} has not ended`);
      await store.put(KIND, name, { ...fired.value, at }, fired.version);
      return;
    }
    const by = `schedule:${name}`;
    const idempotency = { key: JSON.stringify([KIND, name, at]), request: input };
    const begun = await supervisor.start(served.crew, crew, input, {
      by,
      idempotency,
      ...(user !== undefined && { user }),
    });
    await store.put(KIND, name, { at, runId: begun.id } satisfies Fired, fired.version);
  } catch (error) {
    note(`schedule '${name}' could not start its run of ${new Date(at).toISOString()}: ${describeThrown(error)}`);
  }
}

async function isUnderWay(store: Store, runId: string | undefined): Promise<boolean> {
  if (runId === undefined) return false;
  const last = (await store.read(toRunId(runId))).at(-1);
  return last !== undefined && !ended.has(last.type);
}

async function readFired(
  store: Store,
  name: string,
): Promise<{ readonly value: Fired | undefined; readonly version: number }> {
  const found = await store.get(KIND, name);
  // Only this file writes documents of this kind.
  return { value: found?.value as Fired | undefined, version: found?.version ?? 0 };
}
