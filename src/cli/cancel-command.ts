import { cancelAnywhere } from "../library/cancel-anywhere.ts";
import { flushTraces } from "./flush-traces.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { loadCrewAsItWas, type StoreOptions, withRun } from "./with-run.ts";

export interface CancelOptions extends StoreOptions {
  readonly graceful?: boolean;
}

/** `baton cancel`: ends a run, wherever it is running; with `--graceful` the turn under way may finish. */
export async function cancel(name: string, options: CancelOptions, terminal: Terminal): Promise<number> {
  return withRun(name, options, terminal, async (runId, store) => {
    const crew = await loadCrewAsItWas(await store.read(runId), store, terminal);
    const status = await cancelAnywhere(crew, store, runId, options.graceful === true);
    await flushTraces();
    terminal.print(options.json ? JSON.stringify({ runId, status }) : `${runId} ${status}`);
    return exitCodes.completed;
  });
}
