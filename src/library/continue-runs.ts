import { changedOptions } from "../prepare/remembered-models.ts";
import { systemClock } from "../run/clock.ts";
import type { KeptRun, RunKeeper } from "../run-storage/keep-runs.ts";
import { checkAnswer } from "../runtime/check-answer.ts";
import type { CrewEnvironment, CrewVersions, ResumeOptions } from "../runtime/crew-versions.ts";
import type { OpenRuns } from "../runtime/open-runs.ts";
import { answerOfDeadline, hasExpired, notExpired, tooLate } from "../runtime/pause-deadline.ts";
import type { Release } from "../runtime/release.ts";
import { createCrewRunner, type RunCrew, type SharedByRuns } from "../runtime/run-crew.ts";
import { answered, continued } from "../runtime/taking-up.ts";
import { waitToTake } from "../runtime/wait-to-take.ts";
import { type RunResult, resultOf } from "../views/run-result.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError, unknownRun } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { asRunId, type RunId } from "../vocabulary/ids.ts";
import type { ResumeAnswer } from "../vocabulary/pause.ts";
import type { Start } from "../vocabulary/run-start.ts";
import { checkRunOptions } from "./check-options.ts";

/** The ways in which a run that was begun before goes on. */
export interface ContinuedRuns {
  /** Goes on with a paused run; refused with `pause-expired` where its deadline has passed. */
  resume(runId: string, answer: ResumeAnswer, options?: ResumeOptions): Promise<RunResult>;
  /** Applies the decision of a pause whose deadline has passed. */
  expire(runId: string, options?: ResumeOptions): Promise<RunResult>;
  /** Goes on with a run whose process died or released it: nothing that is recorded is done again. */
  recover(runId: string, options?: ResumeOptions): Promise<RunResult>;
  /** Ends a run that nobody is running: one that is paused, or whose process died. */
  cancel(runId: string): Promise<RunResult>;
}

interface Continuing {
  readonly definition: Crew;
  readonly keeper: RunKeeper;
  readonly versions: CrewVersions;
  readonly runs: OpenRuns;
  readonly environment: CrewEnvironment & SharedByRuns;
}

interface TakenRun {
  readonly runId: RunId;
  readonly start: Start;
  readonly kept: KeptRun;
  readonly release: Release;
  readonly last: BatonEvent;
}

type Go = (run: TakenRun, runIt: RunCrew) => Promise<RunResult>;

export function continuedRuns({ definition, keeper, versions, runs, environment }: Continuing): ContinuedRuns {
  const { clock = systemClock } = environment;
  const renamed = ({ kept }: TakenRun) => changedOptions(environment.models?.named, kept.events);
  const take = async (
    id: string,
    options: ResumeOptions,
    go: (run: TakenRun) => Promise<RunResult>,
  ): Promise<RunResult> => {
    const runId = asRunId(id);
    const takeNow = () => keeper.takeUp(runId);
    return runs.hold(
      (release) => (options.wait ? waitToTake(runId, takeNow, options, release) : takeNow()),
      async (kept, release) => go(takenRun(runId, kept, release)),
    );
  };
  /** Takes a run up, if it is as it should be, under the crew as it was or as it is. */
  const takeUp = async (id: string, options: ResumeOptions, go: Go): Promise<RunResult> => {
    checkRunOptions(options);
    return take(id, options, async (run) => go(run, await versions.runnerFor(run.start, options, run.kept.events)));
  };
  /** The pause that an answer is meant for: while the run is waited for, somebody else may answer it. */
  const readPause = async (id: string): Promise<BatonEvent> => {
    const runId = asRunId(id);
    const events = await keeper.read(runId);
    const last = events.at(-1);
    if (last?.type === "run.paused") return last;
    throw last === undefined ? unknownRun(runId) : notPaused({ runId, kept: { events } });
  };
  return {
    async resume(id, answer, options = {}) {
      checkRunOptions(options);
      const before = options.wait ? await readPause(id) : undefined;
      return takeUp(id, options, (run, runIt) => {
        const { runId, last } = run;
        if (before !== undefined && last.seq !== before.seq) throw wentOn(run);
        if (last.type !== "run.paused") throw notPaused(run);
        if (hasExpired(last.data, clock.now())) throw tooLate(runId, last.data);
        checkAnswer(last.data, answer, definition);
        return runIt({ ...run, added: [answered(last, answer, clock, renamed(run))] }, options);
      });
    },
    expire: (id, options = {}) =>
      takeUp(id, options, (run, runIt) => {
        const { runId, last } = run;
        if (last.type !== "run.paused") throw notPaused(run);
        if (!hasExpired(last.data, clock.now())) throw notExpired(runId, last.data);
        const answer = answerOfDeadline(last.data);
        return runIt({ ...run, added: [answered(last, answer, clock, renamed(run))] }, options);
      }),
    recover: (id, options = {}) =>
      takeUp(id, options, (run, runIt) => {
        if (resultOf(run.kept.events).status !== "running") throw notBroken(run);
        return runIt({ ...run, added: [continued(run.last, "recovered", clock, renamed(run))] }, options);
      }),
    cancel: (id) =>
      take(id, {}, async (run) => {
        const { status, endedAt } = resultOf(run.kept.events);
        if (endedAt !== undefined)
          throw new BatonError("run-ended", `there is nothing to cancel: run '${run.runId}' is ${status}`);
        const added = status === "running" ? [continued(run.last, "recovered", clock)] : [];
        // Nothing is called any more, so nothing need be there that could be.
        const idle = { ...environment, isIdle: true, models: { script: new Map() } };
        const runIt = createCrewRunner(await versions.originalOf(run.start), run.start.variables ?? {}, idle);
        return runIt({ ...run, added }, { signal: AbortSignal.abort() });
      }),
  };
}

function takenRun(runId: RunId, kept: KeptRun, release: Release): TakenRun {
  const start = startOf(runId, kept.events);
  const last = kept.events.at(-1);
  if (last === undefined) throw new Error("a run has at least one event");
  return { runId, start, kept, release, last };
}

/** What a run was started with. */
export function startOf(runId: string, [started]: readonly BatonEvent[]): Start {
  if (started?.type !== "run.started") throw unknownRun(runId);
  const { crew: _, ...start } = started.data;
  return start;
}

interface Known {
  readonly runId: RunId;
  readonly kept: Pick<KeptRun, "events">;
}

function notPaused({ runId, kept }: Known): BatonError {
  return new BatonError("not-paused", `run '${runId}' is not paused: it is ${resultOf(kept.events).status}`);
}

function wentOn({ runId, kept }: Known): BatonError {
  const { status } = resultOf(kept.events);
  const message = `somebody else answered run '${runId}' meanwhile: it is ${status} now, and the answer is not used`;
  return new BatonError("not-paused", message);
}

function notBroken({ runId, kept }: Known): BatonError {
  const { status } = resultOf(kept.events);
  return new BatonError("not-broken", `run '${runId}' is ${status}: there is nothing to recover`);
}
