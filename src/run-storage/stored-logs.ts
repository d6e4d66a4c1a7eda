import type { Lease, Store } from "../journal/store.ts";
import { BatonError, explainUnknownRun } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { readVerdict } from "./feedback.ts";
import type { LearnFrom } from "./learn-from-runs.ts";
import type { RunLog, RunLogs } from "./run-log.ts";

/** A process that dies holds its runs for so long. */
const LEASE_MS = 10_000;
/** How often a process says that it is alive, and looks whether somebody wants its run to end. */
const BEAT_MS = 500;
const RENEW_MS = 3000;

/** Stores runs where any process can take them up, and with their end what is learned of them. */
export function createStoredLogs(store: Store, learnFrom: LearnFrom): RunLogs {
  const owner = `${process.pid}.${crypto.randomUUID()}`;
  const open = async (runId: RunId): Promise<RunLog> => {
    const lease = await take(store, runId, owner);
    return openLog(store, lease, await store.read(runId), learnFrom);
  };
  return {
    begin: open,
    async takeUp(runId) {
      if ((await store.read(runId)).length === 0) throw explainUnknownRun(runId);
      return open(runId);
    },
    read: (runId) => store.read(runId),
  };
}

async function take(store: Store, runId: RunId, owner: string): Promise<Lease> {
  try {
    // An owner of its own each time: of two that resume the same run here, one is refused like any other.
    return await store.take(runId, `${owner}.${crypto.randomUUID()}`, LEASE_MS);
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "run-owned") throw error;
    const message = `run '${runId}' is being run or resumed already; if that process has died, it lets go within ${LEASE_MS / 1000} s`;
    throw new BatonError("run-active", message, { cause: error });
  }
}

function openLog(store: Store, lease: Lease, before: readonly BatonEvent[], learnFrom: LearnFrom): RunLog {
  const { runId } = lease;
  const events = [...before];
  let waiting: BatonEvent[] = [];
  let writing: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let tell: (event: BatonEvent) => void = () => {};
  let onCancel: (isGraceful: boolean) => void = () => {};
  const began = Date.now();

  /** What a person said of the run before it ended, if there was time for that. */
  const readVerdictInTime = async () => {
    const mayBeJudged = before.length > 0 || Date.now() - began > BEAT_MS;
    return mayBeJudged ? readVerdict(store, runId) : undefined;
  };
  const fail = (error: unknown) => {
    failure ??= { error };
  };
  /** In order: an append begins when the one before it is done, and takes along all that has come meanwhile. */
  const flush = async (): Promise<void> => {
    while (waiting.length > 0 && failure === undefined) {
      const batch = waiting;
      waiting = [];
      const handoffs = hasEnded(batch) ? learnFrom(events, await readVerdictInTime()) : [];
      await store.append(lease, batch, handoffs);
      // Before anybody who waits for the commit goes on, so that a model's words never come before its call.
      for (const event of batch) tell(event);
    }
  };
  const durable = (): Promise<void> | undefined => {
    if (failure !== undefined) return Promise.reject(failure.error);
    if (waiting.length === 0 && writing === undefined) return undefined;
    writing ??= flush()
      .catch((error: unknown) => {
        fail(error);
        throw error;
      })
      .finally(() => {
        writing = undefined;
      });
    // What came while it was being written is written too, before anybody goes on.
    return writing.then(durable);
  };
  const hold = holdLease(store, lease, { onBeat: durable, onCancel: (isGraceful) => onCancel(isGraceful), fail });
  return {
    events,
    write(event) {
      events.push(event);
      waiting.push(event);
      if (waiting.length === 1 && writing === undefined) setImmediate(() => durable()?.catch(fail));
    },
    onDurable(callback) {
      tell = callback;
    },
    durable,
    lease: { epoch: lease.epoch, confirm: hold.confirm },
    async close() {
      hold.stop();
      try {
        await durable();
      } finally {
        await store.release(lease);
      }
    },
    isShared: true,
    onCancel(callback) {
      onCancel = callback;
    },
  };
}

interface Holding {
  /** What is done each time the process says that it is alive. */
  onBeat(): Promise<void> | undefined;
  onCancel(isGraceful: boolean): void;
  fail(error: unknown): void;
}

/** Renews a lease as long as the process lives, and looks whether somebody wants the run to end. */
function holdLease(store: Store, lease: Lease, { onBeat, onCancel, fail }: Holding) {
  let renewed = Date.now();
  const renew = async (): Promise<void> => {
    renewed = Date.now();
    await store.renew(lease, LEASE_MS);
  };
  const lookAround = async (): Promise<void> => {
    if (Date.now() - renewed > RENEW_MS) await renew();
    const wish = await store.get("cancel", lease.runId);
    if (wish !== undefined) onCancel(isGraceful(wish.value));
  };
  const beat = setInterval(() => {
    onBeat()?.catch(fail);
    void lookAround().catch(fail);
  }, BEAT_MS);
  beat.unref();
  return {
    stop: () => clearInterval(beat),
    /** A renewal is refused where another process has taken the run. */
    async confirm(): Promise<void> {
      await renew().catch((error: unknown) => {
        fail(error);
        throw error;
      });
    },
  };
}

function hasEnded(events: readonly BatonEvent[]): boolean {
  const last = events.at(-1)?.type;
  return last === "run.completed" || last === "run.failed" || last === "run.cancelled";
}

function isGraceful(wish: unknown): boolean {
  return typeof wish === "object" && wish !== null && "isGraceful" in wish && wish.isGraceful === true;
}
