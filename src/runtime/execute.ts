import { beginCrew } from "../orchestration/begin-crew.ts";
import { type CrewOutcome, openCrewRun, type World } from "../orchestration/crew-run.ts";
import { inputProblem } from "../orchestration/input-problem.ts";
import { createEntryRanker } from "../orchestration/rank-entries.ts";
import { SignalReader } from "../orchestration/read-signals.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { RunPaused } from "../run/ask.ts";
import type { Clock } from "../run/clock.ts";
import { Run } from "../run/run.ts";
import type { RunLease } from "../run/run-core.ts";
import { ScopeClosed } from "../run/scope.ts";
import { crewsAround } from "../views/crew-of.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { Start } from "../vocabulary/run-start.ts";
import { beginRun } from "./begin-run.ts";
import { nonceSource } from "./nonce-source.ts";
import { type Release, RunReleased } from "./release.ts";

/** What a run needs besides its crew and input. */
export interface ExecuteOptions {
  readonly runId: RunId;
  readonly clock: Clock;
  readonly models: World["models"];
  readonly tool: World["tool"];
  readonly external: World["external"];
  /** What reads signals, where it is shared by several runs. */
  readonly signalReader?: World["signalReader"];
  /** What ranks agents that may begin, likewise. */
  readonly rankEntries?: World["rankEntries"];
  readonly teamKinds?: World["teamKinds"] | undefined;
  /** What other runs took of the quotas of a day, where somebody counts. */
  readonly dayTotals?: World["dayTotals"];
  /** What is in the journal already, where the run goes on. */
  readonly recorded: readonly BatonEvent[];
  /** What takes secrets out; used unless the crew says otherwise. */
  readonly redactor: Redactor;
  readonly onEvent: (event: BatonEvent) => void;
  /** Done when all events so far are in the journal; undefined where they are, or where there is none. */
  readonly durable?: (() => Promise<void> | undefined) | undefined;
  readonly onCaughtUp?: (() => void) | undefined;
  readonly lease?: RunLease | undefined;
  readonly onRepeated?: ((recorded: BatonEvent, data: unknown) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether nobody can follow the run any more, so that it must not go on. */
  readonly hasFailed?: () => boolean;
  /** Asks the run to stop before its next model call. */
  readonly stop?: AbortSignal | undefined;
  /** Lets the run leave this process before its end. */
  readonly release?: Release | undefined;
}

const top = { path: "" };

/** Runs a crew from its start, or from what is recorded, to its end or its next pause. */
export async function execute(crew: Crew, start: Start, options: ExecuteOptions): Promise<void> {
  const redactor = crew.settings.redact ? options.redactor : undefined;
  const input = redactor === undefined ? start.input : redactor.redact(start.input);
  const { clock, signal } = options;
  const run = new Run({
    id: options.runId,
    clock,
    redactor,
    recorded: options.recorded,
    onEvent: options.onEvent,
    durable: options.durable,
    onCaughtUp: options.onCaughtUp,
    lease: options.lease,
    pauseTimeouts: (agent) => crewsAround(agent, crew).flatMap(({ settings }) => settings.pauseTimeout ?? []),
    onRepeated: options.onRepeated,
    isStopping: () => options.stop?.aborted ?? false,
    isAborted: () => signal?.aborted === true || options.hasFailed?.() === true,
  });
  run.emit(top, "run.started", { crew: crew.name, ...start, input });
  const tooLarge = inputProblem(input, crew);
  if (tooLarge !== undefined) {
    end(run, { type: "failed", stopReason: "error", failure: tooLarge }, "", "");
    return;
  }
  // Not in the middle of what is being told: whoever aborts may do so from an event.
  const onAbort = () => clock.defer(() => run.cancel("cancelled"));
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  const { timeoutMs } = crew.settings;
  const deadline = run.deadline({ place: top, scope: run.scope, ms: timeoutMs, what: "run" }, () => {
    run.failure = { code: "timeout", message: `the run took longer than ${timeoutMs / 1000} s` };
    run.scope.close("timeout");
  });
  const crewRun = openCrewRun(crew, worldOf(run, start, options), run.scope, top);
  try {
    const begin = () => beginRun(crewRun, input, start.session);
    const outcome = await (options.release?.watch(run, begin) ?? begin());
    deadline.callOff();
    end(run, outcome, crewRun.shown, crewRun.finalAgent);
  } catch (error) {
    deadline.callOff();
    if (error instanceof RunPaused || error instanceof RunReleased) return;
    if (!(error instanceof ScopeClosed)) throw error;
    const { stopped, shared } = crewRun;
    if (shared.ended !== undefined) end(run, shared.ended, crewRun.shown, crewRun.finalAgent);
    else if (stopped !== undefined)
      end(run, { type: "failed", stopReason: "quota", failure: stopped }, crewRun.shown, crewRun.finalAgent);
    else if (run.failure === undefined) run.emit(top, "run.cancelled", { reason: error.message });
    else end(run, { type: "failed", stopReason: "timeout", failure: run.failure }, crewRun.shown, crewRun.finalAgent);
  } finally {
    run.leave();
    run.scope.dispose();
    signal?.removeEventListener("abort", onAbort);
  }
}

function worldOf(run: Run, { began, learned }: Start, options: ExecuteOptions): World {
  const { clock, models, tool, external, teamKinds, dayTotals } = options;
  const signalReader = options.signalReader ?? new SignalReader();
  const rankEntries = options.rankEntries ?? createEntryRanker();
  const drawNonce = nonceSource(options.runId);
  return {
    run,
    clock,
    models,
    tool,
    external,
    signalReader,
    rankEntries,
    teamKinds,
    dayTotals,
    drawNonce,
    began,
    learned,
    beginCrew,
  };
}

function end(run: Run, outcome: CrewOutcome, output: string, finalAgent: string): void {
  const { stopReason } = outcome;
  if (outcome.type === "completed") {
    const { signal, error } = outcome;
    const why = { ...(signal !== undefined && { signal }), ...(error !== undefined && { error }) };
    run.emit(top, "run.completed", { stopReason, output, finalAgent, ...why });
  } else run.emit(top, "run.failed", { stopReason, output, finalAgent, error: outcome.failure });
}
