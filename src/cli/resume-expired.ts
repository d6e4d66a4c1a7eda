import type { Store } from "../journal/store.ts";
import type { ResumeOptions } from "../runtime/environment.ts";
import { decisionWords, type ExpiredRun, listExpired } from "../runtime/pause-deadline.ts";
import { GRACE_MS } from "../runtime/run-control.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { flushTraces } from "./flush-traces.ts";
import type { ResumeCommandOptions } from "./resume-command.ts";
import { describeLeaving } from "./run-view.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { type WatchedSignals, watchSignals } from "./watch-signals.ts";
import { loadCrewOfRun, withStore } from "./with-run.ts";

/** The result of applying a deadline. */
interface Outcome {
  readonly runId: string;
  readonly decision: string;
  readonly status?: string;
  readonly error?: string;
}

/** `baton resume --expired`: applies the deadlines of all paused runs of the project that have passed, one run after another. */
export async function resumeExpired(options: ResumeCommandOptions, terminal: Terminal): Promise<number> {
  return withStore(options, terminal, async (store) => {
    const view = {
      stopping: () => terminal.note("stopping after this turn; press Ctrl-C again to stop at once"),
      leaving: (graceMs: number) => terminal.note(describeLeaving(graceMs)),
    };
    const signals = watchSignals(view, options.grace ?? GRACE_MS);
    const outcomes: Outcome[] = [];
    const release = terminal.divertTools();
    try {
      for (const run of await listExpired(store)) {
        const { signal, stop, release } = signals.options;
        if (signal.aborted || stop.aborted || release.aborted) break;
        const outcome = await applyDeadline(run, store, options, signals, terminal);
        outcomes.push(outcome);
        if (!options.json) tell(outcome, terminal);
      }
    } finally {
      release();
      signals.close();
      await flushTraces();
    }
    if (options.json) terminal.print(JSON.stringify({ expired: outcomes }, undefined, 2));
    else if (outcomes.length === 0) terminal.note("no paused run has passed its deadline");
    const hasFailed = outcomes.some(({ error }) => error !== undefined);
    return signals.exitCode() ?? (hasFailed ? exitCodes.failed : exitCodes.completed);
  });
}

/** One run that cannot go on keeps no other from it. */
async function applyDeadline(
  { runId, paused }: ExpiredRun,
  store: Store,
  options: ResumeCommandOptions,
  signals: WatchedSignals,
  terminal: Terminal,
): Promise<Outcome> {
  const about = { runId, decision: decisionWords(paused.onExpiry) };
  const { acceptChanges = false, original = false, wait = false } = options;
  const taking: ResumeOptions = { ...signals.options, acceptChanges, original, wait };
  try {
    const crew = await loadCrewOfRun(await store.read(runId), store, options, terminal);
    return { ...about, status: (await crew.expire(runId, taking).result).status };
  } catch (error) {
    if (error instanceof BatonError) return { ...about, error: error.message };
    throw error;
  }
}

function tell({ runId, decision, status, error }: Outcome, { print, note }: Terminal): void {
  if (error === undefined) print(`${runId} ${decision}: ${status}`);
  else note(`${runId} ${decision}: ${error}`);
}
