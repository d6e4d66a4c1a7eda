import { openDispatch } from "../../dispatch/open-dispatch.ts";
import type { Store } from "../../journal/store.ts";
import type { RunResult } from "../../views/run-result.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
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
  const worker = cluster.isWorking ? await work(options, cluster) : undefined;
  const supervisor = new RemoteSupervisor({ store: observed, dispatch, crews, local: worker });
  return {
    supervisor,
    async stop(graceMs) {
      await worker?.stop(graceMs);
      await dispatch.close();
    },
  };

  async function work({ given, paths, onEvent, onResult }: OpeningCluster, { name, leaseMs }: ClusterOptions) {
    const setup = { ...given.setup, leaseMs };
    // The server's own handles only queue.
    const own = new ServedCrews(paths, { ...given, setup, store: observed });
    return startWorker({ dispatch, crews: own, name, leaseMs, onEvent, onResult, note });
  }
}
