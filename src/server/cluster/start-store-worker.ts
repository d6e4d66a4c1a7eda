import { createLiveText } from "../../dispatch/live-text.ts";
import type { Dispatch } from "../../dispatch/open-dispatch.ts";
import type { Store } from "../../journal/store.ts";
import { deliverNotices } from "../../runtime/deliver-notices.ts";
import { BatonError, describeThrown } from "../../vocabulary/errors.ts";
import { startSchedules } from "../schedules.ts";
import { ServedCrews, type ServedCrewsOptions } from "../served-crews.ts";
import { Spending } from "../token-spending.ts";
import { keepDoing } from "./keep-doing.ts";
import { RemoteSupervisor } from "./remote-supervisor.ts";
import { type RunningWorker, startWorker } from "./start-worker.ts";

interface StoreWorkerOptions {
  readonly paths: readonly string[];
  readonly crews: Omit<ServedCrewsOptions, "store">;
  readonly store: Store;
  readonly dispatch: Dispatch;
  readonly name: string | undefined;
  readonly leaseMs: number;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly note: (message: string) => void;
}

const NOTICES_MS = 2000;

/** Starts a worker with all that its process does besides: schedules, notices, and what tokens spend. */
export async function startStoreWorker(options: StoreWorkerOptions): Promise<RunningWorker> {
  const { paths, store, dispatch, leaseMs, variables, note } = options;
  const { setup } = options.crews;
  const crews = new ServedCrews(paths, { ...options.crews, store, setup: { ...setup, leaseMs } });
  const spending = new Spending(store);
  const liveText = createLiveText(dispatch.database);
  const worker = await startWorker({
    ...options,
    crews,
    onEvent: liveText.send,
    onResult({ cost }, by) {
      const noteFailure = (error: unknown) => note(`the cost of a run was not counted: ${describeThrown(error)}`);
      if (by !== undefined) spending.add(by, cost.usd ?? 0, Date.now()).catch(noteFailure);
    },
  });
  if (worker.about.crews.length === 0) {
    await worker.stop(0);
    const reasons = Object.entries(worker.about.lacking).map(([crew, why]) => `${crew}: ${why}`);
    throw new BatonError("unable-worker", `this worker can run none of its crews. ${reasons.join("; ")}`);
  }
  const supervisor = new RemoteSupervisor({ store, dispatch, crews, local: worker });
  const endChores = keepDoing(
    (signal) => deliverNotices(store, { variables, signal, onFailure: note }),
    NOTICES_MS,
    note,
  );
  const unschedule = await startSchedules({ store, crews, supervisor, note });
  return {
    ...worker,
    get active() {
      return worker.active;
    },
    async stop(graceMs) {
      endChores();
      unschedule();
      liveText.stop();
      await worker.stop(graceMs);
    },
  };
}
