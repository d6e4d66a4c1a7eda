import type { Crew } from "../crew.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { BatonError, unknownRun } from "../errors.ts";
import type { BatonEvent, ResumeAnswer } from "../events.ts";
import { asRunId, createRunId, type RunId } from "../ids.ts";
import { openMemoryStore } from "../journal/memory-store.ts";
import { systemClock } from "../run/clock.ts";
import { type RunResult, resultOf } from "../views/run-result.ts";
import { checkAnswer } from "./check-answer.ts";
import { type Conversation, openConversation } from "./conversation.ts";
import { type CrewDefinition, readDefinition } from "./crew-definition.ts";
import { type CrewLearning, learningOn } from "./crew-learning.ts";
import { type CrewEnvironment, createCrewVersions, type ResumeOptions } from "./crew-versions.ts";
import type { Start } from "./execute.ts";
import { fillVariables } from "./fill-variables.ts";
import { type Fork, forkCrew, forkEvents } from "./fork-run.ts";
import { keepDayTotals } from "./keep-day-totals.ts";
import { keepInEither } from "./keep-in-either.ts";
import { keepInMemory } from "./keep-in-memory.ts";
import { keepInStore } from "./keep-in-store.ts";
import { type KeptRun, letGo } from "./keep-runs.ts";
import { learningOf } from "./learn-from-runs.ts";
import { refuseNamesakes } from "./prepare-tools.ts";
import { type Replay, replayRun } from "./replay-run.ts";
import { createCrewRunner, type RunCrew, type RunOptions } from "./run-crew.ts";
import { startedBy } from "./started-by.ts";
import { answered, continued } from "./taking-up.ts";
import { withSubCrew } from "./with-sub-crew.ts";

/** A crew that can be run. */
export interface CrewHandle extends CrewLearning {
  readonly definition: Crew;
  readonly diagnostics: readonly Diagnostic[];
  /** Runs the crew on an input, to its end or its next pause. */
  run(input: string, options?: RunOptions): Promise<RunResult>;
  /** The same run, event by event; its result is what the last event says. */
  stream(input: string, options?: RunOptions): AsyncIterable<BatonEvent>;
  /** Goes on with a paused run. */
  resume(runId: string, answer: ResumeAnswer, options?: ResumeOptions): Promise<RunResult>;
  /** Goes on with a run whose process died: nothing that is recorded is done again. */
  recover(runId: string, options?: ResumeOptions): Promise<RunResult>;
  /** Ends a run that nobody is running: one that is paused, or whose process died. */
  cancel(runId: string): Promise<RunResult>;
  /** Goes over a run again, calling nothing: under the crew as it was, or as it is now. */
  replay(runId: string, options?: { readonly current?: boolean }): Promise<Replay>;
  /** Starts a new run that has the past of another up to an event, and from there on goes its own way. */
  fork(runId: string, fork: Fork, options?: RunOptions): Promise<RunResult>;
  /** A conversation by its id, new or known: each run on it begins where the one before ended, with what was said so far. */
  session(id: string): Conversation;
  /** The same crew with a sub-crew in code: one more, to which its entry agent may delegate, or another in the place of one it has. */
  withSubCrew(name: string, definition: CrewDefinition): CrewHandle;
}

/** Makes a crew runnable. */
export function openCrew(definition: Crew, diagnostics: readonly Diagnostic[], given: CrewEnvironment): CrewHandle {
  const { store, clock = systemClock, tools = [] } = given;
  refuseNamesakes(tools);
  const threads = store ?? openMemoryStore();
  const inThreads = keepInStore(threads, learningOf(definition));
  const keeper = store === undefined ? keepInEither(keepInMemory(), inThreads) : inThreads;
  const models = { ...given.models, readRun: (id: string) => keeper.read(asRunId(id)) };
  const environment = { ...given, models, dayTotals: keepDayTotals(store) };
  const versions = createCrewVersions(definition, environment);

  const begin = async (input: string, options: RunOptions): Promise<RunResult> => {
    const runId = createRunId(crypto.randomUUID());
    const start = await versions.startOn(input);
    return letGo(await keeper.begin(runId), (kept) => versions.current({ runId, start, kept }, options));
  };
  /** Takes a run up, if it is as it should be, under the crew as it was or as it is. */
  const takeUp = async (
    id: string,
    options: ResumeOptions,
    go: (run: TakenRun, runIt: RunCrew) => Promise<RunResult>,
  ): Promise<RunResult> => {
    const runId = asRunId(id);
    return letGo(await keeper.takeUp(runId), async (kept) => {
      const run = takenRun(runId, kept);
      return go(run, await versions.runnerFor(run.start, options));
    });
  };
  return {
    definition,
    diagnostics,
    ...startedBy(begin),
    session: (id) => openConversation(id, { definition, store: threads, keeper: inThreads, versions }),
    resume: (id, answer, options = {}) =>
      takeUp(id, options, (run, runIt) => {
        const { last } = run;
        if (last.type !== "run.paused") throw notPaused(run);
        checkAnswer(last.data, answer, definition);
        return runIt({ ...run, added: [answered(last, answer, clock)] }, options);
      }),
    recover: (id, options = {}) =>
      takeUp(id, options, (run, runIt) => {
        if (resultOf(run.kept.events).status !== "running") throw notBroken(run);
        return runIt({ ...run, added: [continued(run.last, "recovered", clock)] }, options);
      }),
    cancel: (id) =>
      takeUp(id, { original: true }, async (run) => {
        const { status, endedAt } = resultOf(run.kept.events);
        if (endedAt !== undefined)
          throw new BatonError("run-ended", `there is nothing to cancel: run '${run.runId}' is ${status}`);
        const added = status === "running" ? [continued(run.last, "recovered", clock)] : [];
        // Nothing is called any more, so nothing need be there that could be.
        const idle = { ...environment, isIdle: true, models: { script: new Map() } };
        const runIt = createCrewRunner(await versions.originalOf(run.start), run.start.variables ?? {}, idle);
        return runIt({ ...run, added }, { signal: AbortSignal.abort() });
      }),
    async replay(id, { current = false } = {}) {
      const events = await keeper.read(asRunId(id));
      const start = startOf(id, events);
      const crew = current ? definition : await versions.originalOf(start);
      return replayRun(fillVariables(crew, start.variables ?? {}), start, events, environment);
    },
    async fork(id, fork, options = {}) {
      const events = await keeper.read(asRunId(id));
      startOf(id, events);
      const runId = createRunId(crypto.randomUUID());
      const added = forkEvents(events, fork, runId, clock);
      const start = startOf(runId, added);
      const runIt = createCrewRunner(forkCrew(definition, fork), start.variables ?? {}, environment);
      return letGo(await keeper.begin(runId), (kept) => runIt({ runId, start, kept, added }, options));
    },
    withSubCrew: (name, callee) => addSubCrew(definition, diagnostics, given, name, callee),
    ...learningOn(definition, store, environment.models?.variables),
  };
}

function addSubCrew(
  crew: Crew,
  diagnostics: readonly Diagnostic[],
  given: CrewEnvironment,
  name: string,
  definition: CrewDefinition,
): CrewHandle {
  const read = readDefinition(definition);
  const tools = [...(given.tools ?? []), ...read.tools];
  return openCrew(withSubCrew(crew, name, read.crew), [...diagnostics, ...read.diagnostics], { ...given, tools });
}

interface TakenRun {
  readonly runId: RunId;
  readonly start: Start;
  readonly kept: KeptRun;
  readonly last: BatonEvent;
}

function takenRun(runId: RunId, kept: KeptRun): TakenRun {
  const start = startOf(runId, kept.events);
  const last = kept.events.at(-1);
  if (last === undefined) throw new Error("a run has at least one event");
  return { runId, start, kept, last };
}

function startOf(runId: string, [started]: readonly BatonEvent[]): Start {
  if (started?.type !== "run.started") throw unknownRun(runId);
  const { crew: _, ...start } = started.data;
  return start;
}

function notPaused({ runId, kept }: TakenRun): BatonError {
  return new BatonError("not-paused", `run '${runId}' is not paused: it is ${resultOf(kept.events).status}`);
}

function notBroken({ runId, kept }: TakenRun): BatonError {
  const { status } = resultOf(kept.events);
  return new BatonError("not-broken", `there is nothing to go on with: run '${runId}' is ${status}`);
}
