import { openDispatch } from "../dispatch/open-dispatch.ts";
import type { Store } from "../journal/store.ts";
import { parseModels } from "../prepare/prepare-models.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { type ApprovalOptions, createApproval } from "./approve-servers.ts";
import { findRoot, openStore } from "./open-store.ts";
import { chooseModelSource, explain, type ModelOptions } from "./run-command.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { waitForEnd } from "./wait-for-end.ts";

export interface WorkOptions extends ModelOptions, ApprovalOptions {
  readonly name?: string;
  readonly lease: number;
  readonly grace: number;
  readonly json?: boolean;
  readonly root?: string;
}

/** `baton worker`: runs what is queued until it is drained or told to end. */
export async function work(paths: readonly string[], options: WorkOptions, terminal: Terminal): Promise<number> {
  const { workingDirectory, variables, note } = terminal;
  const named = paths.length === 0 ? ["."] : paths;
  let store: Store | undefined;
  try {
    if (options.model !== undefined) parseModels(options.model);
    const { startStoreWorker } = await import("../server/cluster/start-store-worker.ts");
    store = await openStore(options.root ?? findRoot(named[0] ?? ".", terminal), terminal);
    const dispatch = await openDispatch(store, note);
    const worker = await startStoreWorker({
      paths: named,
      crews: {
        workingDirectory,
        root: options.root,
        setup: { models: chooseModelSource(options, terminal), ...createApproval(options, terminal) },
      },
      ...{ store, dispatch, variables, note },
      name: options.name,
      leaseMs: options.lease,
    });
    const release = terminal.divertTools();
    if (options.json) terminal.print(JSON.stringify({ name: worker.name, ...worker.about }));
    note(`worker ${worker.name} runs ${worker.about.crews.join(", ")}`);
    const told = await Promise.race([waitForEnd(terminal, options.grace), worker.ended]);
    await worker.stop(options.grace);
    await dispatch.close();
    release();
    if (told instanceof BatonError) return explain(told, {}, terminal);
    if (told === "drained") note(`worker ${worker.name} is drained`);
    return exitCodes.completed;
  } catch (error) {
    if (error instanceof BatonError) return explain(error, {}, terminal);
    throw error;
  } finally {
    await store?.close();
  }
}
