import type { QueueRule } from "../vocabulary/queue-rule.ts";
import type { Dispatch } from "./open-dispatch.ts";
import { nameQueue, SEGMENT, type Segment } from "./segment.ts";

/** What became of a segment: it is done, or somebody is to take it again after a time. */
export type SegmentOutcome = { readonly type: "done" } | { readonly type: "again"; readonly afterMs: number };

interface ExecutorOptions {
  /** Unique for each start of each process: DBOS gives a process that starts again under its id the work it had. */
  readonly id: string;
  readonly queues: readonly QueueRule[];
  readonly run: (segment: Segment) => Promise<SegmentOutcome>;
}

/** Takes queued runs while it is open. */
export interface Executor {
  /** Takes no more. Resolves when what was taken is done, or the time has passed. */
  stop(patienceMs: number): Promise<void>;
}

/** How often each queue is looked at. */
const POLL_MS = 60;
/** How many runs of a queue a worker has under way at once, unless baton.yaml says otherwise. */
const PER_WORKER = 50;

/** Begins to take runs of these queues. DBOS allows one executor in a process. */
export async function launchExecutor(
  { dbos, client, pool, settings, enqueue }: Dispatch,
  { id, queues, run }: ExecutorOptions,
): Promise<Executor> {
  const { DBOS } = dbos;
  DBOS.registerWorkflow(
    async (segment: Segment) => {
      const outcome = await run(segment);
      // Under the id of its return it is enqueued once, also if this process dies before DBOS knows that this one is done.
      if (outcome.type === "again") await enqueue({ ...segment, returned: segment.returned + 1 }, outcome.afterMs);
    },
    { name: SEGMENT },
  );
  for (const queue of queues) await client.registerQueue(nameQueue(queue.name), toDbosQueue(queue));
  DBOS.setConfig({
    ...settings,
    name: String(settings["name"]),
    systemDatabasePool: pool,
    executorID: id,
    listenQueues: queues.map(({ name }) => nameQueue(name)),
    runMigrations: false,
  });
  await DBOS.launch();
  return {
    stop: (workflowCompletionTimeoutMS) => DBOS.shutdown({ deregister: true, workflowCompletionTimeoutMS }),
  };
}

/** In a queue with parts, `concurrency` and `rate` count for each part. Without either, a part runs one after the other. */
function toDbosQueue({ concurrency, perWorker, rate, partitionBy }: QueueRule) {
  const rateLimit = rate && { limitPerPeriod: rate.limit, periodSec: rate.periodMs / 1000 };
  const minPollingIntervalMs = POLL_MS;
  if (partitionBy === undefined) {
    const workerConcurrency = Math.min(perWorker ?? PER_WORKER, concurrency ?? Number.POSITIVE_INFINITY);
    return {
      minPollingIntervalMs,
      workerConcurrency,
      ...(concurrency !== undefined && { globalConcurrency: concurrency }),
      ...(rateLimit && { rateLimit }),
    };
  }
  const ofPart = concurrency ?? (rate === undefined ? 1 : undefined);
  return {
    minPollingIntervalMs,
    workerConcurrency: perWorker ?? PER_WORKER,
    ...(ofPart !== undefined && { partitionConcurrency: ofPart }),
    ...(rateLimit && { partitionRateLimit: rateLimit }),
  };
}
