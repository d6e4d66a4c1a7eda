import { listChangedOptions, nameModelOptions } from "../prepare/remember-models.ts";
import type { Clock } from "../run/clock.ts";
import type { RunLog, RunLogs } from "../run-storage/run-log.ts";
import { bringFiles, type InputWithFiles } from "../runtime/bring-files.ts";
import { checkAnswer } from "../runtime/check-answer.ts";
import { refuseStartOptions } from "../runtime/check-options.ts";
import { answerEvent, continuationEvent } from "../runtime/continuation-events.ts";
import type { CrewVersions } from "../runtime/crew-versions.ts";
import type { CrewSetup, ResumeOptions } from "../runtime/environment.ts";
import type { LiveRun, RunHandle } from "../runtime/live-run.ts";
import type { OpenRuns } from "../runtime/open-runs.ts";
import { answerAtDeadline, hasExpired, notExpired, tooLate } from "../runtime/pause-deadline.ts";
import { runCrew } from "../runtime/run-crew.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { waitToTake, waitUntilDue } from "../runtime/wait-to-take.ts";
import { buildResult, type RunResult } from "../views/run-result.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError, explainUnknownRun } from "../vocabulary/errors.ts";
import type { BatonEvent, EventOf } from "../vocabulary/events.ts";
import { type RunId, toRunId } from "../vocabulary/ids.ts";
import type { Paused, ResumeAnswer } from "../vocabulary/pause.ts";
import type { Start } from "../vocabulary/run-start.ts";
import type { CrewTypes, OptionsWith } from "./crew-types.ts";
import { readQueue } from "./read-queue.ts";

/** How runs that began earlier are continued. */
export interface ContinuedRuns<Types extends CrewTypes = CrewTypes> {
  /**
   * Continues a paused run with an answer. The handle's `result` and `events` reject with a `BatonError`: `bad-answer`, `not-paused`,
   * `pause-expired`, `too-soon` or a `ContinueErrorCode`.
   */
  resume(
    runId: string,
    answer: GivenAnswer,
    ...options: OptionsWith<ResumeOptions, Types["context"]>
  ): RunHandle<Types["object"]>;
  /**
   * Applies the decision of a pause whose deadline has passed. The handle's `result` and `events` reject with a `BatonError`:
   * `not-expired`, `not-paused` or a `ContinueErrorCode`.
   */
  expire(runId: string, ...options: OptionsWith<ResumeOptions, Types["context"]>): RunHandle<Types["object"]>;
  /**
   * Continues a run whose process died or released it, or begins a queued run. Nothing that is recorded is done again. The handle's
   * `result` and `events` reject with a `BatonError`: `not-broken` or a `ContinueErrorCode`.
   */
  recover(runId: string, ...options: OptionsWith<ResumeOptions, Types["context"]>): RunHandle<Types["object"]>;
  /**
   * Cancels a run that nobody is running: one that is paused, or whose process died. Rejects with a `BatonError`: `run-active`,
   * `run-ended`, `unknown-run`, `crew-closed` or a `StoreErrorCode`.
   */
  cancel(runId: string): Promise<RunResult>;
}

/** An answer as it is given: its files are still to be read. */
export interface GivenAnswer extends ResumeAnswer {
  /** Files that come with `input`: each `{ path }`, `{ url }` or `{ bytes, name }`. */
  readonly attachments?: InputWithFiles["attachments"];
}

interface Continuing {
  readonly definition: Crew;
  readonly logs: RunLogs;
  readonly versions: CrewVersions;
  readonly runs: OpenRuns;
  readonly clock: Clock;
  readonly given: CrewSetup;
}

/** A run whose log is ours. */
interface TakenRun {
  readonly runId: RunId;
  readonly start: Start;
  readonly events: readonly BatonEvent[];
  readonly last: BatonEvent;
}

/** Gives the events that a run continues with, or refuses to continue it. */
type Continue = (
  run: TakenRun,
  log: RunLog,
  runtime: Runtime,
) => readonly BatonEvent[] | Promise<readonly BatonEvent[]>;

export function continuedRuns(parts: Continuing): ContinuedRuns {
  const { definition, clock, given } = parts;
  const modelsNow = ({ events }: TakenRun, { script }: ResumeOptions) =>
    listChangedOptions(nameModelOptions(script, given.models?.named), events);
  return {
    resume(id, answer, options = {}) {
      let before: EventOf<"run.paused"> | undefined;
      const readBefore = async (runId: RunId) => {
        if (options.wait) before = await readPause(runId, parts);
      };
      const resumed = async (run: TakenRun, log: RunLog, runtime: Runtime) => {
        const { runId, last, events } = run;
        if (before !== undefined && last.seq !== before.seq) throw answeredByOthers(runId, events);
        if (last.type !== "run.paused") throw notPaused(runId, events);
        if (hasExpired(last.data, clock.now())) throw tooLate(runId, last.data);
        const { attachments, ...words } = answer;
        checkAnswer(last.data, words, definition);
        refuseUnreadFiles(last.data, words, attachments);
        const files = await bringFiles(attachments, log, runtime);
        const { by } = options;
        const given = { ...words, ...(files !== undefined && { attachments: files }), ...(by !== undefined && { by }) };
        return [answerEvent(last, given, clock, modelsNow(run, options))];
      };
      return continueRun(id, options, parts, resumed, readBefore);
    },
    expire: (id, options = {}) =>
      continueRun(id, options, parts, (run) => {
        const { runId, last, events } = run;
        if (last.type !== "run.paused") throw notPaused(runId, events);
        if (!hasExpired(last.data, clock.now())) throw notExpired(runId, last.data);
        return [answerEvent(last, answerAtDeadline(last.data), clock, modelsNow(run, options))];
      }),
    recover: (id, options = {}) =>
      continueRun(id, options, parts, (run) => {
        return [continuationEvent(run.last, explainContinuing(run), clock, modelsNow(run, options))];
      }),
    cancel: (id) => cancelRun(id, parts),
  };
}

/** Takes a run up, and continues it under the crew as it is or as it was. `prepare` comes before the run is taken. */
function continueRun(
  id: string,
  options: ResumeOptions,
  { definition, logs, versions, runs, clock, given: { onWait, queues = [] } }: Continuing,
  added: Continue,
  prepare?: (runId: RunId) => Promise<void>,
): LiveRun {
  // What is not an id is refused below, where the caller finds every other refusal.
  return runs.open(id as RunId, options, async (run) => {
    refuseStartOptions(options);
    const runId = toRunId(id);
    await prepare?.(runId);
    const take = () => logs.takeUp(runId);
    const go = () =>
      runCrew(
        run,
        () => (options.wait ? waitToTake(run, take, onWait) : take()),
        async (log) => {
          const taken = takenRun(runId, log);
          const { start, events } = taken;
          const script = options.script ?? runs.scriptOf(runId);
          const runtime = await versions.runtimeFor(start, { ...options, ...(script && { script }) }, events);
          const { acceptChanges = false, queue } = options;
          const known = { by: start.by, variables: start.variables, conversation: start.session?.id };
          const queued = readQueue({ ...known, queue, acceptChanges }, definition, queues, clock);
          const more = { acceptChanges, ...(queued !== undefined && { queue: queued }) };
          return { runtime, start, added: await added(taken, log, runtime), ...more };
        },
      );
    await (options.wait ? waitUntilDue(run, go, clock, onWait) : go());
  });
}

async function cancelRun(id: string, { logs, versions, runs, clock }: Continuing): Promise<RunResult> {
  const runId = toRunId(id);
  const run = runs.open(runId, {}, (live) =>
    runCrew(
      live,
      () => logs.takeUp(runId),
      async (log) => {
        const { start, last, events } = takenRun(runId, log);
        const { status, endedAt } = buildResult(events);
        if (endedAt !== undefined)
          throw new BatonError("run-ended", `there is nothing to cancel: run '${runId}' is ${status}`);
        const added = status === "paused" ? [] : [continuationEvent(last, explainContinuing({ runId, events }), clock)];
        return { runtime: await versions.idleRuntimeFor(start), start, added };
      },
    ),
  );
  run.control.abort();
  return run.result;
}

/** Why a run continues that nobody is running; refused where it is paused or has ended. */
function explainContinuing({ runId, events }: Pick<TakenRun, "runId" | "events">): "recovered" | "dequeued" {
  const { status } = buildResult(events);
  if (status === "queued") return "dequeued";
  if (status !== "running") throw notInterrupted(runId, events);
  return "recovered";
}

/** Files are part of words that an agent is told. */
function refuseUnreadFiles(
  { reason, agent }: Paused,
  { input, decision }: ResumeAnswer,
  files: GivenAnswer["attachments"],
): void {
  if (files === undefined) return;
  const isRead = input !== undefined && reason !== "approval" && decision !== "reject";
  if (isRead) return;
  throw new BatonError("bad-answer", `files come with 'input', which agent '${agent}' is told; this answer has none`);
}

/** The pause that an answer is meant for: while the run is waited for, somebody else may answer it. */
async function readPause(runId: RunId, { logs }: Continuing): Promise<EventOf<"run.paused">> {
  const events = await logs.read(runId);
  const last = events.at(-1);
  if (last?.type === "run.paused") return last;
  throw last === undefined ? explainUnknownRun(runId) : notPaused(runId, events);
}

function takenRun(runId: RunId, { events }: RunLog): TakenRun {
  const start = readStart(runId, events);
  const last = events.at(-1);
  if (last === undefined) throw new Error("a run has at least one event");
  return { runId, start, events: [...events], last };
}

/** What a run was started with. */
export function readStart(runId: string, [started]: readonly BatonEvent[]): Start {
  if (started?.type !== "run.started") throw explainUnknownRun(runId);
  const { crew: _, ...start } = started.data;
  return start;
}

function notPaused(runId: RunId, events: readonly BatonEvent[]): BatonError {
  return new BatonError("not-paused", `run '${runId}' is not paused: it is ${buildResult(events).status}`);
}

function answeredByOthers(runId: RunId, events: readonly BatonEvent[]): BatonError {
  const { status } = buildResult(events);
  const message = `somebody else answered run '${runId}' in the meantime: it is ${status} now, and your answer is not used`;
  return new BatonError("not-paused", message);
}

function notInterrupted(runId: RunId, events: readonly BatonEvent[]): BatonError {
  const { status } = buildResult(events);
  const next = status === "paused" ? `answer it with baton resume ${runId} <answer>` : "there is nothing to continue";
  return new BatonError("not-broken", `run '${runId}' is ${status}: ${next}`);
}
