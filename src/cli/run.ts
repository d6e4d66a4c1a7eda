import { resolve } from "node:path";
import { BatonError, ConfigurationError } from "../errors.ts";
import type { CrewHandle } from "../host/crew-handle.ts";
import { loadCrew } from "../host/load-crew.ts";
import { type ModelSource, parseModels } from "../host/prepare-models.ts";
import { readScript } from "../host/read-script.ts";
import type { RunOptions } from "../host/run-crew.ts";
import { isLimit, type RunResult } from "../views/run-result.ts";
import { formatDiagnostics, summarize } from "./format-diagnostics.ts";
import { openPlainView, type PlainViewOptions } from "./plain-view.ts";
import { readAnswer } from "./question.ts";
import type { RunView } from "./run-view.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface RunCommandOptions extends PlainViewOptions {
  readonly var?: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly script?: string;
  readonly root?: string;
}

/** `baton run`: runs a crew and prints its answer; in a pipe nothing else goes to standard output. */
export async function run(
  path: string,
  words: readonly string[],
  options: RunCommandOptions,
  terminal: Terminal,
): Promise<number> {
  try {
    if (options.json && options.events) throw new BatonError("bad-options", "give either --json or --events, not both");
    const input = words.length === 0 ? terminal.readInput() : words.join(" ");
    const crew = await loadCrew(path, {
      workingDirectory: terminal.workingDirectory,
      models: modelSource(options, terminal),
      variables: options.var ?? {},
      ...(options.root !== undefined && { root: options.root }),
    });
    for (const { file, line, message } of crew.diagnostics) terminal.note(`warning: ${file}:${line} ${message}`);
    const view = await openView(crew, options, terminal);
    let result: RunResult | undefined;
    try {
      result = await runToTheEnd(crew, input, view);
    } finally {
      view.close(result);
    }
    return exitCodeOf(result);
  } catch (error) {
    if (error instanceof BatonError) return explain(error, options, terminal);
    throw error;
  }
}

/** What only a terminal can show is loaded for terminals only. */
async function openView(crew: CrewHandle, options: RunCommandOptions, terminal: Terminal): Promise<RunView> {
  const { screen } = terminal;
  if (screen === undefined || options.json || options.events || options.verbose)
    return openPlainView(crew.definition, options, terminal);
  return (await import("./live/live-view.ts")).openLiveView(crew.definition, screen, terminal);
}

/** Runs, and lets a person answer its pauses where one sits at the terminal. */
async function runToTheEnd(crew: CrewHandle, input: string, view: RunView): Promise<RunResult> {
  const interrupts = watchInterrupts(view);
  const watching: RunOptions = { ...interrupts, onEvent: view.show };
  try {
    let result = await crew.run(input, watching);
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

function modelSource(options: RunCommandOptions, terminal: Terminal): ModelSource {
  return {
    variables: terminal.variables,
    workingDirectory: terminal.workingDirectory,
    ...(options.script !== undefined && { script: readScript(resolve(terminal.workingDirectory, options.script)) }),
    ...(options.model !== undefined && { instead: parseModels(options.model) }),
  };
}

const usageErrors: ReadonlySet<string> = new Set(["no-input", "bad-model", "bad-options"]);

function explain(error: BatonError, { json }: RunCommandOptions, terminal: Terminal): number {
  const plain = (_: unknown, text: string) => text;
  const { code, message } = error;
  const found = error instanceof ConfigurationError ? { diagnostics: error.diagnostics } : {};
  if (json) terminal.print(JSON.stringify({ error: { code, message, ...found } }, undefined, 2));
  if (!(error instanceof ConfigurationError)) {
    terminal.note(`error: ${error.message}`);
    return usageErrors.has(error.code) ? exitCodes.usage : exitCodes.failed;
  }
  const { diagnostics } = error;
  if (diagnostics.length === 0) terminal.note(`error: ${error.message}`);
  else terminal.note(`${formatDiagnostics(diagnostics, plain)}\n\n${summarize(diagnostics, plain)}`);
  return exitCodes.invalid;
}
