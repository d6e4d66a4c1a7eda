import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { BatonError, ConfigurationError } from "../errors.ts";
import type { BatonEvent, Paused, ResumeAnswer } from "../events.ts";
import type { CrewHandle, RunOptions } from "../host/crew-handle.ts";
import { loadCrew } from "../host/load-crew.ts";
import { type ModelSource, parseModels } from "../host/prepare-models.ts";
import { readScript } from "../host/read-script.ts";
import { logLinesOf } from "../views/log-lines.ts";
import type { RunResult } from "../views/run-result.ts";
import { formatDiagnostics, summarize } from "./format-diagnostics.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface RunCommandOptions {
  readonly json?: boolean;
  readonly events?: boolean;
  readonly verbose?: boolean;
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
    const result = await runToTheEnd(crew, input, options, terminal);
    if (options.json) terminal.print(JSON.stringify(result, undefined, 2));
    else if (!options.events) tell(result, terminal);
    return exitCodeOf(result);
  } catch (error) {
    if (error instanceof BatonError) return explain(error, options, terminal);
    throw error;
  }
}

/** Runs, and answers pauses from the terminal where a person sits at it. */
async function runToTheEnd(
  crew: CrewHandle,
  input: string,
  options: RunCommandOptions,
  terminal: Terminal,
): Promise<RunResult> {
  const interrupts = watchInterrupts(terminal);
  const watching: RunOptions = { ...interrupts, onEvent: (event) => show(event, crew, options, terminal) };
  try {
    let result = await crew.run(input, watching);
    while (result.paused !== undefined && terminal.isInteractive && !options.json && !options.events) {
      const answer = await askPerson(result.paused, terminal);
      if (answer === undefined) break;
      try {
        result = await crew.resume(result.runId, answer, watching);
      } catch (error) {
        // The run still waits: a slip of the pen is no reason to lose it.
        if (!(error instanceof BatonError) || error.code !== "bad-answer") throw error;
        terminal.note(error.message);
      }
    }
    return result;
  } finally {
    interrupts.release();
  }
}

function show(event: BatonEvent, crew: CrewHandle, options: RunCommandOptions, terminal: Terminal): void {
  if (options.events) terminal.print(JSON.stringify(event));
  if (options.verbose) for (const line of logLinesOf(event, crew.definition)) terminal.note(line);
}

/** Ctrl-C once lets the turn under way finish, twice stops at once. */
function watchInterrupts(terminal: Terminal): { signal: AbortSignal; stop: AbortSignal; release(): void } {
  const [now, soon] = [new AbortController(), new AbortController()];
  const onInterrupt = () => {
    if (soon.signal.aborted) now.abort();
    else terminal.note("stopping after this turn; press Ctrl-C again to stop at once");
    soon.abort();
  };
  process.on("SIGINT", onInterrupt);
  return { signal: now.signal, stop: soon.signal, release: () => process.off("SIGINT", onInterrupt) };
}

/** What a person says to a pause; undefined where they would rather not. */
async function askPerson({ prompt, options }: Paused, terminal: Terminal): Promise<ResumeAnswer | undefined> {
  terminal.note(`\n${prompt}`);
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const left = new AbortController();
  reader.on("close", () => left.abort());
  reader.on("SIGINT", () => left.abort());
  const ask = (question: string) => reader.question(question, { signal: left.signal });
  try {
    if (options.includes("input") || options.includes("external")) return { input: await ask("> ") };
    const decision = (await ask(`(${options.join(", ")}) > `)).trim();
    if (decision === "edit") return { decision, args: JSON.parse(await ask("arguments as JSON > ")) };
    return decision === "reject" ? { decision, input: await ask("why > ") } : { decision };
  } catch (error) {
    if (left.signal.aborted) return undefined;
    // Arguments that are no JSON fit the question as little as a misspelt decision, and are refused like it.
    if (error instanceof SyntaxError) return { decision: "edit" };
    throw error;
  } finally {
    reader.close();
  }
}

function tell(result: RunResult, terminal: Terminal): void {
  if (result.output !== "") terminal.print(result.output);
  if (result.error !== undefined) terminal.note(`error: ${result.error.message}`);
  else if (result.paused !== undefined)
    terminal.note(`paused (${result.paused.reason}): ${result.paused.agent} waits for an answer`);
  else if (isLimit(result)) terminal.note(`stopped: ${result.stopReason}`);
}

function isLimit({ stopReason }: RunResult): boolean {
  return ["max_handoffs", "max_rounds", "max_crew_depth", "timeout", "quota"].includes(stopReason ?? "");
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
