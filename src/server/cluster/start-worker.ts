import { hostname } from "node:os";
import { type Executor, launchExecutor } from "../../dispatch/executor.ts";
import { handOnLostRuns } from "../../dispatch/failover.ts";
import type { Dispatch } from "../../dispatch/open-dispatch.ts";
import { createWorkerRows, type WorkedRun, type WorkerAbout, type WorkerRows } from "../../dispatch/worker-rows.ts";
import type { RunResult } from "../../views/run-result.ts";
import { BatonError, describeThrown } from "../../vocabulary/errors.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import type { RunId } from "../../vocabulary/ids.ts";
import { DEFAULT_QUEUE, type QueueRule, USUAL_PRIORITY } from "../../vocabulary/queue-rule.ts";
import { version } from "../../vocabulary/version.ts";
import type { ServedCrews } from "../served-crews.ts";
import { keepDoing } from "./keep-doing.ts";
import type { LocalRuns } from "./remote-supervisor.ts";
import { runSegment, type SegmentSurroundings } from "./run-segment.ts";

interface WorkerOptions {
  readonly dispatch: Dispatch;
  readonly crews: ServedCrews;
  /** What it is called; undefined for its host and process. */
  readonly name: string | undefined;
  readonly leaseMs: number;
  readonly onEvent: (event: BatonEvent) => void;
  readonly onResult: (result: RunResult, by: string | undefined) => void;
  readonly note: (message: string) => void;
}

/** A worker that takes queued runs. */
export interface RunningWorker extends LocalRuns {
  readonly name: string;
  readonly about: WorkerAbout;
  /** Resolves when somebody asked it to finish and it has, or when it cannot go on; with the reason. */
  readonly ended: Promise<"drained" | BatonError>;
  /** Takes no more, lets turns under way finish within the time, and leaves the rest to others. */
  stop(graceMs: number): Promise<void>;
}

/** How long somebody who can run a crew needs to come by: where there is such a worker, and where there is none. */
const ABLER_MS = 1000;
const NOBODY_MS = 5000;
/** What a drained worker waits for at most: as long as its runs take. */
const PATIENCE_MS = 2 ** 31 - 1;
/** The part of the lease after which a worker says again that it lives. */
const BEATS_IN_LEASE = 3;

export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { dispatch, crews, leaseMs, note } = options;
  const host = hostname();
  const name = options.name ?? `${host}-${process.pid}`;
  const rows = createWorkerRows(dispatch.database);
  const id = crypto.randomUUID();
  const about = await findAbilities(crews);
  for (const [crew, why] of Object.entries(about.lacking)) note(`this worker does not run '${crew}': ${why}`);
  const held = new Map<RunId, WorkedRun>();
  const ended = Promise.withResolvers<"drained" | BatonError>();
  let isStopping = false;
  let isDraining = false;
  await announce(() => rows.announce({ id, name, host, pid: process.pid, version, leaseMs, ...about }), leaseMs);
  const surroundings = { ...options, ...findHands(options, about, rows, held) };
  let executor: Executor;
  try {
    executor = await launchExecutor(dispatch, {
      id,
      queues: listQueues(crews, about.queues),
      run: (segment) => runSegment(segment, { ...surroundings, isStopping: () => isStopping }),
    });
  } catch (error) {
    await rows.leave(id);
    throw error;
  }
  const drain = async () => {
    isDraining = true;
    note(`draining: ${held.size === 0 ? "no run is" : `${held.size} runs are`} under way, and no more are taken`);
    await executor.stop(PATIENCE_MS);
    ended.resolve("drained");
  };
  const beat = async () => {
    const said = await rows.beat(id, [...held.values()]);
    if (said.isDraining && !isDraining && !isStopping) void drain().catch((error) => ended.reject(error));
    const { lost, runs } = await handOnLostRuns(dispatch);
    if (lost.length > 0 || runs > 0)
      note(`${lost.length === 0 ? "a worker" : lost.join(", ")} is gone: ${runs} of its runs are handed on`);
  };
  const stopBeating = keepDoing(
    () =>
      beat().catch((error: unknown) => {
        if (error instanceof BatonError && error.code === "store-too-new") ended.resolve(error);
        else throw error;
      }),
    leaseMs / BEATS_IN_LEASE,
    note,
  );
  return {
    name,
    about,
    ended: ended.promise,
    get active() {
      return held.size;
    },
    has: (runId) => held.has(runId),
    async stop(graceMs) {
      isStopping = true;
      const released = crews.close(graceMs);
      if (!isDraining) await executor.stop(graceMs + leaseMs);
      await released;
      stopBeating();
      await rows.leave(id).catch((error: unknown) => note(`it did not sign off: ${describeThrown(error)}`));
    },
  };
}

/** What a worker takes segments with. */
function findHands(
  { crews }: WorkerOptions,
  about: WorkerAbout,
  rows: WorkerRows,
  held: Map<RunId, WorkedRun>,
): Pick<SegmentSurroundings, "findCrew" | "waitForAbler" | "onTaken"> {
  return {
    findCrew: (crew) => (about.crews.includes(crew) ? crews.get(crew)?.crew : undefined),
    async waitForAbler(crew) {
      const { workers } = await rows.list();
      return workers.some((worker) => worker.isAlive && worker.crews.includes(crew)) ? ABLER_MS : NOBODY_MS;
    },
    onTaken(runId, crew) {
      held.set(runId, { runId, crew, since: Date.now() });
      return () => held.delete(runId);
    },
  };
}

/** Which crews can run here: all that their runs need is tried, and nothing is called. */
async function findAbilities(crews: ServedCrews): Promise<WorkerAbout> {
  const able: string[] = [];
  const queues = new Set<string>();
  const lacking: Record<string, string> = {};
  for (const { name, crew } of crews.list()) {
    try {
      await crew.prepare();
      able.push(name);
      queues.add(crew.definition.settings.queue ?? DEFAULT_QUEUE);
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      // What follows a blank line is advice for those who type a command.
      lacking[name] = error.message.split("\n\n", 1).join("").replace(/\s+/g, " ");
    }
  }
  return { crews: able, lacking, queues: [...queues] };
}

function listQueues(crews: ServedCrews, names: readonly string[]): readonly QueueRule[] {
  const rules = new Map(crews.list().flatMap(({ queues }) => queues.map((rule) => [rule.name, rule] as const)));
  return names.map(
    (name) =>
      rules.get(name) ?? {
        ...{ name, concurrency: undefined, perWorker: undefined, rate: undefined, partitionBy: undefined },
        priority: USUAL_PRIORITY,
      },
  );
}

/** A worker that died a moment ago still has its name: this one waits until that one's lease is over. */
async function announce(go: () => Promise<void>, leaseMs: number): Promise<void> {
  const until = performance.now() + leaseMs * 1.5;
  for (;;) {
    try {
      return await go();
    } catch (error) {
      const isTaken = error instanceof BatonError && error.code === "worker-active";
      if (!isTaken || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, leaseMs / 10));
    }
  }
}
