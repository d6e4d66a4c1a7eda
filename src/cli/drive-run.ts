import type { CrewHandle } from "../library/crew-handle.ts";
import { readTypedAnswer } from "../library/read-typed-answer.ts";
import type { RunOptions } from "../runtime/environment.ts";
import { hasExpired } from "../runtime/pause-deadline.ts";
import { GRACE_MS } from "../runtime/run-control.ts";
import { isLimit, type RunResult } from "../views/run-result.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { askUntil, describeExpiry } from "./ask-until.ts";
import { flushTraces } from "./flush-traces.ts";
import { openPlainView, type PlainViewOptions } from "./plain-view.ts";
import type { RunView } from "./run-view.ts";
import { type ContinuedView, type ReadPast, showAfterPast } from "./show-after-past.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { type WatchedSignals, watchSignals } from "./watch-signals.ts";

export interface DriveOptions extends PlainViewOptions {
  /** How long calls under way may take, in milliseconds, when the process is told to end. */
  readonly grace?: number;
  /** False where nothing is to be stored. */
  readonly journal?: boolean;
}

/** Shows a run from its start, or from where it is continued after the past that `readPast` gives, to its end; gives its exit code. */
export async function driveRun(
  crew: CrewHandle,
  options: DriveOptions,
  terminal: Terminal,
  begin: (watching: RunOptions) => Promise<RunResult>,
  readPast?: ReadPast,
): Promise<number> {
  const view = await openView(crew, options, terminal);
  const continued = showAfterPast(view, readPast);
  const signals = watchSignals(view, options.grace ?? GRACE_MS);
  let result: RunResult | undefined;
  try {
    result = await runToTheEnd(crew, begin, view, continued, signals);
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "stopped-waiting") throw error;
    terminal.note(error.message);
    return signals.exitCode() ?? exitCodes.cancelled;
  } finally {
    signals.close();
    await continued.shown();
    view.close(result);
    await flushTraces();
  }
  const { status, runId } = result;
  const isLost = options.journal === false;
  const lost = `run ${runId} is lost, since --no-journal stores nothing of it`;
  if (status === "paused" && isLost) terminal.note(lost);
  if (status !== "running") return chooseExitCode(result);
  terminal.note(`stopped before its end: ${isLost ? lost : `continue the run with baton resume ${runId}`}`);
  return signals.exitCode() ?? exitCodes.failed;
}

/** What only a terminal can show is loaded for terminals only. */
async function openView(crew: CrewHandle, options: PlainViewOptions, terminal: Terminal): Promise<RunView> {
  const { screen } = terminal;
  if (screen === undefined || options.json || options.events || options.verbose)
    return openPlainView(crew.definition, options, terminal);
  return (await import("./live/live-view.ts")).openLiveView(
    crew.definition,
    screen,
    terminal,
    options.journal !== false,
  );
}

/** What is wrong with an answer that another answer, or the same one later, can mend. */
const correctable: ReadonlySet<string> = new Set(["bad-answer", "too-soon", "pause-expired"]);

/** Runs, and lets a person answer its pauses where one sits at the terminal. */
async function runToTheEnd(
  crew: CrewHandle,
  begin: (watching: RunOptions) => Promise<RunResult>,
  view: RunView,
  { show, shown }: ContinuedView,
  signals: WatchedSignals,
): Promise<RunResult> {
  const watching: RunOptions = { ...signals.options, onEvent: show };
  let result = await begin(watching);
  while (result.paused !== undefined) {
    await shown();
    const { runId, paused } = result;
    const line = await askUntil(paused, [signals.options.release], (abort) => view.ask(paused, abort));
    try {
      if (line !== undefined) result = await crew.resume(runId, readTypedAnswer(line, paused), watching).result;
      else if (hasExpired(paused, Date.now())) {
        view.refuse(describeExpiry(paused));
        result = await crew.expire(runId, watching).result;
      } else break;
    } catch (error) {
      // The run still waits: a slip of the pen is no reason to lose it.
      if (!(error instanceof BatonError) || !correctable.has(error.code)) throw error;
      view.refuse(error.message);
    }
  }
  return result;
}

export function chooseExitCode(result: RunResult): number {
  if (isLimit(result)) return exitCodes.limit;
  switch (result.status) {
    case "completed":
      return exitCodes.completed;
    case "paused":
      return exitCodes.paused;
    case "cancelled":
      return exitCodes.cancelled;
    case "failed":
    case "queued":
    case "running":
      return exitCodes.failed;
  }
}
