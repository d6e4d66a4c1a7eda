import { existsSync } from "node:fs";
import { listSignalUses } from "../flow/list-signal-uses.ts";
import { locateStore } from "../journal/locate-store.ts";
import type { Store } from "../journal/store.ts";
import { reportSignals } from "../signals/report-signals.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { loadValidCrew } from "./load-valid-crew.ts";
import { findRoot, openExistingStore } from "./open-store.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface SignalsOptions {
  readonly json?: boolean;
  readonly root?: string;
}

/** `baton signals`: the crew's registry, with who emits what, where it leads, and how often it was seen. */
export async function signals(path: string, options: SignalsOptions, terminal: Terminal): Promise<number> {
  const crew = loadValidCrew(path, options.root, terminal);
  if (crew === undefined) return exitCodes.invalid;
  const uses = listSignalUses(crew);
  const seen = await countSeen(crew.name, options.root ?? findRoot(path, terminal), terminal);
  const report = crew.signals.map((signal) => ({
    ...signal,
    uses: uses.get(signal.name) ?? [],
    ...(seen !== undefined && { seen: seen.get(signal.name) ?? 0 }),
  }));
  terminal.print(
    options.json ? JSON.stringify({ signals: report }, undefined, 2) : reportSignals(crew.signals, uses, seen),
  );
  return exitCodes.completed;
}

/** In runs of crews of this name; undefined where there is no store. Looking makes no store. */
async function countSeen(
  crew: string,
  root: string,
  terminal: Terminal,
): Promise<ReadonlyMap<string, number> | undefined> {
  if (!existsSync(locateStore(root, terminal.variables))) return undefined;
  let store: Store | undefined;
  try {
    store = await openExistingStore(root, terminal);
    const kept = store;
    const runs = await kept.list({ crew });
    return countSignals(await Promise.all(runs.map(({ runId }) => kept.read(runId))));
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    terminal.note(`warning: recorded runs are left out: ${error.message}`);
    return undefined;
  } finally {
    await store?.close();
  }
}

/** Counts how often each signal was emitted in some runs. */
function countSignals(runs: Iterable<readonly BatonEvent[]>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const events of runs) {
    for (const event of events) {
      if (event.type === "signal.emitted") counts.set(event.data.signal, (counts.get(event.data.signal) ?? 0) + 1);
    }
  }
  return counts;
}
