import type { Replay } from "../runtime/replay-run.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { loadCrewAsItWas, loadCrewOfRun, type StoreOptions, withRun } from "./with-run.ts";

export interface ReplayOptions extends StoreOptions {
  readonly current?: boolean;
}

/** `baton replay`: replays a run without calling anything, and shows the first event that is another now. */
export async function replay(name: string, options: ReplayOptions, terminal: Terminal): Promise<number> {
  return withRun(name, options, terminal, async (runId, store) => {
    const events = await store.read(runId);
    const crew = options.current
      ? await loadCrewOfRun(events, store, {}, terminal)
      : await loadCrewAsItWas(events, store, terminal);
    const outcome = await crew.replay(runId, { current: options.current === true });
    terminal.print(options.json ? JSON.stringify({ runId, ...outcome }, undefined, 2) : describe(outcome));
    return outcome.divergence === undefined ? exitCodes.completed : exitCodes.failed;
  });
}

function describe({ events, divergence }: Replay): string {
  if (divergence === undefined) return `${formatAmount(events, "event")}, all the same`;
  const { seq, recorded, now } = divergence;
  const lines = (event: object) => JSON.stringify(event, undefined, 2).split("\n");
  const was = recorded === undefined ? [] : lines({ type: recorded.type, path: recorded.path, data: recorded.data });
  const is = lines(now);
  const gone = was.filter((line) => !is.includes(line)).map((line) => `- ${line}`);
  const come = is.filter((line) => !was.includes(line)).map((line) => `+ ${line}`);
  const where = `${recorded?.type ?? "the end"} at ${recorded?.path || "/"}`;
  return [`event ${seq} of ${events}, ${where}, is another now:`, ...gone, ...come].join("\n");
}
