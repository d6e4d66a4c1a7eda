import { BatonError } from "../errors.ts";
import type { CrewHandle } from "../host/crew-handle.ts";
import type { RunOptions } from "../host/run-crew.ts";
import { isLimit, type RunResult } from "../views/run-result.ts";
import { flushTraces } from "./flush-traces.ts";
import { openPlainView, type PlainViewOptions } from "./plain-view.ts";
import { readAnswer } from "./question.ts";
import type { RunView } from "./run-view.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** Shows a run from when it is started, or taken up again, to its end, and gives its exit code. */
export async function driveRun(
  crew: CrewHandle,
  options: PlainViewOptions,
  terminal: Terminal,
  begin: (watching: RunOptions) => Promise<RunResult>,
): Promise<number> {
  const view = await openView(crew, options, terminal);
  let result: RunResult | undefined;
  try {
    result = await runToTheEnd(crew, begin, view);
  } finally {
    view.close(result);
    await flushTraces();
  }
  return exitCodeOf(result);
}

/** What only a terminal can show is loaded for terminals only. */
async function openView(crew: CrewHandle, options: PlainViewOptions, terminal: Terminal): Promise<RunView> {
  const { screen } = terminal;
  if (screen === undefined || options.json || options.events || options.verbose)
    return openPlainView(crew.definition, options, terminal);
  return (await import("./live/live-view.ts")).openLiveView(crew.definition, screen, terminal);
}

/** Runs, and lets a person answer its pauses where one sits at the terminal. */
async function runToTheEnd(
  crew: CrewHandle,
  begin: (watching: RunOptions) => Promise<RunResult>,
  view: RunView,
): Promise<RunResult> {
  const interrupts = watchInterrupts(view);
  const watching: RunOptions = { ...interrupts, onEvent: view.show };
  try {
    let result = await begin(watching);
    while (result.paused !== undefined) {
      const line = await view.ask(result.paused);
      if (line === undefined) break;
      try {
        result = await crew.resume(result.runId, readAnswer(line, result.paused), watching);
      } catch (error) {
        // The run still waits: a slip of the pen is no reason to lose it.
        if (!(error instanceof BatonError) || error.code !== "bad-answer") throw error;
        view.refuse(error.message);
      }
    }
    return result;
  } finally {
    interrupts.release();
  }
}

/** Ctrl-C once lets the turn under way finish, twice stops at once. */
function watchInterrupts(view: RunView): { signal: AbortSignal; stop: AbortSignal; release(): void } {
  const [now, soon] = [new AbortController(), new AbortController()];
  const onInterrupt = () => {
    if (soon.signal.aborted) now.abort();
    else view.stopping();
    soon.abort();
  };
  process.on("SIGINT", onInterrupt);
  return { signal: now.signal, stop: soon.signal, release: () => process.off("SIGINT", onInterrupt) };
}

function exitCodeOf(result: RunResult): number {
  if (isLimit(result)) return exitCodes.limit;
  switch (result.status) {
    case "completed":
      return exitCodes.completed;
    case "paused":
      return exitCodes.paused;
    case "cancelled":
      return exitCodes.cancelled;
    case "failed":
    case "running":
      return exitCodes.failed;
  }
}
