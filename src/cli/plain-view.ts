import {
  describeMissingHolder,
  describeUncertainEntry,
  describeUndelivered,
  formatLogLines,
} from "../views/log-lines.ts";
import { isLimit, type RunResult } from "../views/run-result.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { describeDeadline } from "./ask-until.ts";
import { cleanLine } from "./live/clean-text.ts";
import { askLine, questionLines } from "./question.ts";
import { describeLeaving, type RunView } from "./run-view.ts";
import { plainStyle, type Terminal } from "./terminal.ts";

export interface PlainViewOptions {
  readonly json?: boolean;
  readonly events?: boolean;
  readonly verbose?: boolean;
  /** False where nothing of the run is stored. */
  readonly journal?: boolean;
}

/** The answer on standard output, all else on standard error. */
export function openPlainView(crew: Crew, options: PlainViewOptions, terminal: Terminal): RunView {
  const isQuiet = options.json || options.events;
  const isStored = options.journal !== false;
  let release = terminal.divertTools();
  return {
    show(event) {
      const warning = options.verbose ? undefined : (describeUncertainEntry(event) ?? describeUndelivered(event));
      const note = describeMissingHolder(event) ?? warning;
      if (note !== undefined) terminal.note(cleanLine(note));
      if (options.events) terminal.print(JSON.stringify(event));
      if (options.verbose) for (const line of formatLogLines(event, crew)) terminal.note(cleanLine(line));
    },
    stopping: () => terminal.note("stopping after this turn; press Ctrl-C again to stop at once"),
    leaving: (graceMs) => terminal.note(describeLeaving(graceMs)),
    async ask(paused, abort) {
      if (!terminal.isInteractive || isQuiet) return undefined;
      terminal.note(`\n${questionLines(paused, crew, "", plainStyle, Number.POSITIVE_INFINITY, isStored).join("\n")}`);
      release();
      const line = await askLine(process.stderr, abort);
      release = terminal.divertTools();
      return line;
    },
    refuse: terminal.note,
    close(result) {
      release();
      if (result === undefined) return;
      if (options.json) terminal.print(JSON.stringify(result, undefined, 2));
      else if (!options.events) tell(result, isStored, terminal);
    },
  };
}

/** Only the answer of a completed run goes to standard output: whoever reads the pipe takes what comes for the answer. */
function tell(result: RunResult, isStored: boolean, terminal: Terminal): void {
  const { output, error, paused, runId, status } = result;
  if (status === "completed" && output !== "") terminal.print(output);
  else if (paused === undefined && output !== "") {
    const how = status === "failed" ? "failed" : "was cancelled";
    terminal.note(`the run ${how} before it had an answer; its last output was:\n${output}`);
  }
  if (isLimit(result) && status === "completed") terminal.note(`stopped: ${error?.message ?? result.stopReason}`);
  else if (error !== undefined) terminal.note(`error: ${error.message}`);
  else if (paused !== undefined) {
    // Of a gate, or within a sub-crew, the question does not have what the run gave last.
    const words = [paused.prompt.includes(output) ? "" : output, paused.prompt].filter((text) => text !== "");
    const until = paused.expiresAt === undefined ? "" : ` ${describeDeadline(paused)}`;
    const next = isStored ? `: baton resume ${runId}` : "";
    const line = `paused (${paused.reason}): ${paused.agent} waits for an answer${until}${next}`;
    terminal.note([...words, line].join("\n"));
  }
}
