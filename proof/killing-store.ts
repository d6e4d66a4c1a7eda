import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Store } from "../src/journal/store.ts";

/** At which of its writes a process dies: before it is asked for, while it is made, or when it is durable. */
export interface Death {
  readonly at: number;
  readonly when: "before" | "in" | "after";
}

/** A store whose process is killed at one of its writes. */
export interface KillingStore {
  readonly store: Store;
  /** How many writes there were. */
  writes(): number;
}

export async function openKillingStore(store: Store, death: Death | undefined): Promise<KillingStore> {
  const killSoon = death?.when === "in" ? await armKiller(death.at) : undefined;
  let writes = 0;
  const count = async <Value>(write: () => Promise<Value>): Promise<Value> => {
    const isIt = death?.at === writes++;
    if (isIt && death?.when === "before") killNow();
    if (isIt) killSoon?.();
    const value = await write();
    if (isIt) killNow();
    return value;
  };
  return {
    writes: () => writes,
    store: {
      ...store,
      take: (...args) => count(() => store.take(...args)),
      append: (...args) => count(() => store.append(...args)),
      release: (...args) => count(() => store.release(...args)),
      put: (...args) => count(() => store.put(...args)),
      saveBlob: (...args) => count(() => store.saveBlob(...args)),
      remember: (...args) => count(() => store.remember(...args)),
    },
  };
}

function killNow(): void {
  process.kill(process.pid, "SIGKILL");
}

/**
 * SQLite commits while this thread stands still, so another thread does the killing: some time after it is told to, which
 * differs from write to write and is as long as a commit.
 */
async function armKiller(at: number): Promise<() => void> {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const code = `const { flag, delayMs } = require("node:worker_threads").workerData;
    Atomics.wait(flag, 0, 0);
    const start = performance.now();
    while (performance.now() - start < delayMs);
    process.kill(process.pid, "SIGKILL");`;
  const worker = new Worker(code, { eval: true, workerData: { flag, delayMs: ((at * 7) % 16) / 10 } });
  await once(worker, "online");
  worker.unref();
  return () => {
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
}
