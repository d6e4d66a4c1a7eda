import type { DocumentWrite, Lease, Store } from "../journal/store.ts";
import type { Blobs } from "../run/run-attachments.ts";
import { BatonError, explainUnknownRun } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { readVerdict } from "./feedback.ts";
import type { LearnFrom } from "./learn-from-runs.ts";
import { type NotifyRule, writeNotices } from "./notifications.ts";
import type { RunLog, RunLogs } from "./run-log.ts";

/** If a process dies, its runs stay locked for this long, unless the caller says otherwise. */
const LEASE_MS = 10_000;
/** The part of a lease after which it is renewed. */
const RENEWED_AFTER = 0.3;
/** How often a process updates its runs and checks whether somebody asked them to end. */
const BEAT_MS = 500;

/** Stores runs so that any process can take them over, with what was learned when they end and whom to tell of it. */
export function createStoredLogs(
  store: Store,
  learnFrom: LearnFrom,
  notify: readonly NotifyRule[] = [],
  leaseMs: number = LEASE_MS,
): RunLogs {
  const owner = `${process.pid}.${crypto.randomUUID()}`;
  const open = async (runId: RunId, documents: readonly DocumentWrite[] = []): Promise<RunLog> => {
    const lease = await take(store, runId, owner, leaseMs);
    return openLog(store, lease, await store.read(runId), { learnFrom, notify, documents, leaseMs });
  };
  return {
    begin: open,
    async takeUp(runId) {
      if ((await store.read(runId)).length === 0) throw explainUnknownRun(runId);
      return open(runId);
    },
    read: (runId) => store.read(runId),
    openBlobs: (runId) => openBlobs(store, runId),
  };
}

function openBlobs(store: Store, runId: RunId): Blobs {
  return {
    save: (bytes) => store.saveBlob(runId, bytes),
    drop: () => store.remove(runId),
    read: (sha256) => store.readBlob(sha256),
  };
}

async function take(store: Store, runId: RunId, owner: string, leaseMs: number): Promise<Lease> {
  try {
    // Each take has its own owner. If one process resumes the same run twice, the second attempt is refused like anybody
    // else's.
    return await store.take(runId, `${owner}.${crypto.randomUUID()}`, leaseMs);
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "run-owned") throw error;
    const message = `run '${runId}' is being run already, by another process or another call. Wait for it with --wait (in code: { wait: true }), or end it with baton cancel ${runId}. If that process has died, try again in ${leaseMs / 1000} s`;
    throw new BatonError("run-active", message, { cause: error });
  }
}

/** A lost lease as those know it who run crews. The store's own words are for those who take and append. */
function explainLoss(error: unknown, runId: RunId, leaseMs: number): unknown {
  if (!(error instanceof BatonError) || error.code !== "stale-owner") return error;
  const message = `another process has taken run '${runId}', because this one did not renew its lease of ${leaseMs / 1000} s in time (it was suspended, or very busy). This process has stopped working on the run, and the other one continues it: baton show ${runId}`;
  return new BatonError("stale-owner", message, { cause: error });
}

interface LogOptions {
  readonly learnFrom: LearnFrom;
  readonly notify: readonly NotifyRule[];
  /** What is stored with the first event. */
  readonly documents: readonly DocumentWrite[];
  readonly leaseMs: number;
}

function openLog(
  store: Store,
  lease: Lease,
  before: readonly BatonEvent[],
  { learnFrom, notify, documents, leaseMs }: LogOptions,
): RunLog {
  const { runId } = lease;
  let unwritten = documents;
  const events = [...before];
  let waiting: BatonEvent[] = [];
  let writing: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let tell: (event: BatonEvent) => void = () => {};
  let onCancel: (isGraceful: boolean) => void = () => {};
  const began = Date.now();

  /** A person's verdict, if there was time to give one before the run ended. */
  const readVerdictInTime = async () => {
    const mayBeJudged = before.length > 0 || Date.now() - began > BEAT_MS;
    return mayBeJudged ? readVerdict(store, runId) : undefined;
  };
  const fail = (error: unknown): unknown => {
    failure ??= { error: explainLoss(error, runId, leaseMs) };
    return failure.error;
  };
  /** Appends in order: an append begins when the previous one is done, and takes along everything that arrived meanwhile. */
  const flush = async (): Promise<void> => {
    while (waiting.length > 0 && failure === undefined) {
      const batch = waiting;
      waiting = [];
      const handoffs = hasEnded(batch) ? learnFrom(events, await readVerdictInTime()) : [];
      await store.append(lease, batch, handoffs, [...unwritten, ...writeNotices(notify, batch, events)]);
      unwritten = [];
      // Readers get the events before anybody who waits for the commit continues, so that a model's words never come before its
      // call.
      for (const event of batch) tell(event);
    }
  };
  const durable = (): Promise<void> | undefined => {
    if (failure !== undefined) return Promise.reject(failure.error);
    if (waiting.length === 0 && writing === undefined) return undefined;
    writing ??= flush()
      .catch((error: unknown) => {
        throw fail(error);
      })
      .finally(() => {
        writing = undefined;
      });
    // What arrived during the write is written too, before anybody continues.
    return writing.then(durable);
  };
  const lose = (error: unknown): void => {
    fail(error);
    // Nothing that the run does can be stored any more, so nothing more is called or paid for.
    onCancel(false);
  };
  const hold = holdLease(store, lease, leaseMs, {
    onBeat: durable,
    onCancel: (isGraceful) => onCancel(isGraceful),
    onLost: lose,
    fail,
  });
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
    blobs: openBlobs(store, runId),
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
  /** Called at every beat of the lease. */
  onBeat(): Promise<void> | undefined;
  onCancel(isGraceful: boolean): void;
  /** Called when the lease could not be renewed. */
  onLost(error: unknown): void;
  /** Gives the error that the run ends with. */
  fail(error: unknown): unknown;
}

/** Renews the lease while the process lives, and checks whether somebody asked the run to end. */
function holdLease(store: Store, lease: Lease, leaseMs: number, { onBeat, onCancel, onLost, fail }: Holding) {
  let renewed = Date.now();
  const renew = async (): Promise<void> => {
    renewed = Date.now();
    await store.renew(lease, leaseMs);
  };
  const lookAround = async (): Promise<void> => {
    if (Date.now() - renewed > leaseMs * RENEWED_AFTER) await renew();
    const wish = await store.get("cancel", lease.runId);
    if (wish !== undefined) onCancel(isGraceful(wish.value));
  };
  let isLooking = false;
  const beat = setInterval(() => {
    onBeat()?.catch(fail);
    // A store that is slow to answer is not asked again meanwhile.
    if (isLooking) return;
    isLooking = true;
    void lookAround()
      .catch(onLost)
      .finally(() => {
        isLooking = false;
      });
  }, BEAT_MS);
  beat.unref();
  return {
    stop: () => clearInterval(beat),
    /** A renewal is refused if another process has taken the run. */
    async confirm(): Promise<void> {
      await renew().catch((error: unknown) => {
        throw fail(error);
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
