import { createLiveText, followLiveText } from "../../dispatch/live-text.ts";
import { openDispatch } from "../../dispatch/open-dispatch.ts";
import { countRecovered, readQueueFigures } from "../../dispatch/queue-figures.ts";
import { createWorkerRows } from "../../dispatch/worker-rows.ts";
import type { Store } from "../../journal/store.ts";
import type { RunResult } from "../../views/run-result.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import type { Metrics } from "../metrics.ts";
import type { RunChannels } from "../run-channels.ts";
import { ServedCrews, type ServedCrewsOptions } from "../served-crews.ts";
import { RemoteSupervisor } from "./remote-supervisor.ts";
import { startWorker } from "./start-worker.ts";

/** How a server shares its runs with other processes. */
export interface ClusterOptions {
  /** Whether this process runs some of them, too. */
  readonly isWorking: boolean;
  /** What the worker of this process is called; undefined for the usual name. */
  readonly name: string | undefined;
  readonly leaseMs: number;
}

export interface OpeningCluster {
  readonly cluster: ClusterOptions;
  readonly paths: readonly string[];
  readonly crews: ServedCrews;
  readonly given: Omit<ServedCrewsOptions, "store">;
  /** The store as it was opened, and as the server watches it. */
  readonly store: Store;
  readonly observed: Store;
  readonly channels: RunChannels;
  readonly metrics: Pick<Metrics, "addQueues">;
  readonly onEvent: (event: BatonEvent) => void;
  readonly onResult: (result: RunResult, by: string | undefined) => void;
  readonly note: (message: string) => void;
}

export interface OpenedCluster {
  readonly supervisor: RemoteSupervisor;
  stop(graceMs: number): Promise<void>;
}

/** Connects a server with the workers that share its database. */
export async function openCluster(options: OpeningCluster): Promise<OpenedCluster> {
  const { cluster, crews, store, observed, note } = options;
  const dispatch = await openDispatch(store, note);
  const unfollow = followLiveText(dispatch.database, (event) => {
    if (!supervisor.isOurs(event.runId)) options.channels.tell(event);
  });
  const liveText = createLiveText(dispatch.database);
  const worker = cluster.isWorking ? await work(options, cluster) : undefined;
  const supervisor: RemoteSupervisor = new RemoteSupervisor({ store: observed, dispatch, crews, local: worker });
  options.metrics.addQueues(async () => {
    const { workers } = await createWorkerRows(dispatch.database).list();
    return {
      queues: await readQueueFigures(dispatch),
      recovered: await countRecovered(dispatch),
      workers: workers.filter(({ isAlive }) => isAlive).length,
    };
  });
  return {
    supervisor,
    async stop(graceMs) {
      await worker?.stop(graceMs);
      unfollow();
      liveText.stop();
      await dispatch.close();
    },
  };

  async function work({ given, paths, onEvent, onResult }: OpeningCluster, { name, leaseMs }: ClusterOptions) {
    const setup = { ...given.setup, leaseMs };
    // The server's own handles only queue.
    const own = new ServedCrews(paths, { ...given, setup, store: observed });
    const tell = (event: BatonEvent) => {
      onEvent(event);
      // Readers may be at another server.
      liveText.send(event);
    };
    return startWorker({ dispatch, crews: own, name, leaseMs, onEvent: tell, onResult, note });
  }
}
