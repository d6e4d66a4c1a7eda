import { openMemoryStore } from "../journal/memory-store.ts";
import { fillVariables } from "../prepare/fill-variables.ts";
import { refuseNamesakes } from "../prepare/prepare-tools.ts";
import { rememberModels } from "../prepare/remembered-models.ts";
import { systemClock } from "../run/clock.ts";
import { keepDayTotals } from "../run-storage/keep-day-totals.ts";
import { keepInEither } from "../run-storage/keep-in-either.ts";
import { keepInMemory } from "../run-storage/keep-in-memory.ts";
import { keepInStore } from "../run-storage/keep-in-store.ts";
import { learningOf } from "../run-storage/learn-from-runs.ts";
import { checkInputSize } from "../runtime/check-input.ts";
import { type CrewEnvironment, createCrewVersions } from "../runtime/crew-versions.ts";
import { checkFork, type Fork, forkCrew, forkEvents } from "../runtime/fork-run.ts";
import { createOpenRuns } from "../runtime/open-runs.ts";
import { GRACE_MS } from "../runtime/release.ts";
import { type Replay, replayRun } from "../runtime/replay-run.ts";
import { createCrewRunner, type RunOptions } from "../runtime/run-crew.ts";
import type { RunResult } from "../views/run-result.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { asRunId, createRunId } from "../vocabulary/ids.ts";
import { checkEnvironment, checkRunOptions } from "./check-options.ts";
import { type ContinuedRuns, continuedRuns, startOf } from "./continue-runs.ts";
import { type Conversation, openConversation } from "./conversation.ts";
import { type CrewDefinition, readDefinition } from "./crew-definition.ts";
import { type CrewLearning, learningOn } from "./crew-learning.ts";
import { startedBy } from "./started-by.ts";
import { withSubCrew } from "./with-sub-crew.ts";

/** A crew that can be run. */
export interface CrewHandle extends CrewLearning, ContinuedRuns {
  readonly definition: Crew;
  readonly diagnostics: readonly Diagnostic[];
  /** Runs the crew on an input, to its end or its next pause. */
  run(input: string, options?: RunOptions): Promise<RunResult>;
  /** The same run, event by event; its result is what the last event says. */
  stream(input: string, options?: RunOptions): AsyncIterable<BatonEvent>;
  /** Goes over a run again, calling nothing: under the crew as it was, or as it is now. */
  replay(runId: string, options?: { readonly current?: boolean }): Promise<Replay>;
  /** Starts a new run that has the past of another up to an event, and from there on goes its own way. */
  fork(runId: string, fork: Fork, options?: RunOptions): Promise<RunResult>;
  /** A conversation by its id, new or known: each run on it begins where the one before ended, with what was said so far. */
  session(id: string): Conversation;
  /** The same crew with a sub-crew in code: one more, to which its entry agent may delegate, or another in the place of one it has. */
  withSubCrew(name: string, definition: CrewDefinition): CrewHandle;
  /**
   * Releases every run that this handle has under way, and begins no more: calls under way finish within `graceMs` (10 s), then
   * another process can continue each run with `recover`. Their results have the status `running`.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Makes a crew runnable. */
export function openCrew(definition: Crew, diagnostics: readonly Diagnostic[], given: CrewEnvironment): CrewHandle {
  checkEnvironment(given);
  const { store, clock = systemClock, tools = [] } = given;
  refuseNamesakes(tools);
  const threads = store ?? openMemoryStore();
  const inThreads = keepInStore(threads, learningOf(definition));
  const keeper = store === undefined ? keepInEither(keepInMemory(), inThreads) : inThreads;
  const models = { ...given.models, readRun: (id: string) => keeper.read(asRunId(id)) };
  const environment = { ...given, models, dayTotals: keepDayTotals(store) };
  const versions = createCrewVersions(definition, environment);
  const runs = createOpenRuns(clock);

  const begin = async (input: string, options: RunOptions): Promise<RunResult> => {
    const runId = createRunId(crypto.randomUUID());
    const start = await versions.startOn(input);
    return runs.hold(
      () => keeper.begin(runId),
      (kept, release) => versions.current({ runId, start, kept, release }, options),
    );
  };
  return {
    definition,
    diagnostics,
    ...startedBy(begin),
    session: (id) => openConversation(id, { definition, store: threads, keeper: inThreads, versions, runs }),
    ...continuedRuns({ definition, keeper, versions, runs, environment }),
    async replay(id, { current = false } = {}) {
      const events = await keeper.read(asRunId(id));
      const start = startOf(id, events);
      const crew = current ? definition : await versions.originalOf(start);
      return replayRun(fillVariables(crew, start.variables ?? {}), start, events, environment, current);
    },
    async fork(id, fork, options = {}) {
      checkFork(fork);
      checkRunOptions(options);
      const events = await keeper.read(asRunId(id));
      startOf(id, events);
      const runId = createRunId(crypto.randomUUID());
      const added = forkEvents(events, fork, runId, clock, environment.models.named);
      if (fork.input !== undefined) checkInputSize(fork.input, definition);
      const start = startOf(runId, added);
      const models = rememberModels(environment.models, added);
      const remembering = { ...environment, ...(models !== undefined && { models }) };
      const runIt = createCrewRunner(forkCrew(definition, fork), start.variables ?? {}, remembering);
      return runs.hold(
        () => keeper.begin(runId),
        (kept, release) => runIt({ runId, start, kept, release, added }, options),
      );
    },
    close: ({ graceMs = GRACE_MS } = {}) => runs.close(graceMs),
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
