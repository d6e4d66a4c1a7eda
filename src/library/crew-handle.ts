import { joinPlace } from "../flow/list-crews.ts";
import type { Plan } from "../flow/plan/plan.ts";
import { openMemoryStore } from "../journal/memory-store.ts";
import type { Store } from "../journal/store.ts";
import { fillVariables } from "../prepare/fill-variables.ts";
import { refuseNamesakes } from "../prepare/prepare-tools.ts";
import { systemClock } from "../run/clock.ts";
import { keepDayTotals } from "../run-storage/keep-day-totals.ts";
import { createLearning } from "../run-storage/learn-from-runs.ts";
import { MemoryLogs } from "../run-storage/memory-logs.ts";
import { combineLogs, type RunLogs } from "../run-storage/run-log.ts";
import { createStoredLogs } from "../run-storage/stored-logs.ts";
import { type CrewInput, readCrewInput, withFiles } from "../runtime/bring-files.ts";
import { checkInputSize } from "../runtime/check-input.ts";
import { CrewVersions } from "../runtime/crew-versions.ts";
import type { CrewSetup, RunOptions, StartOptions } from "../runtime/environment.ts";
import { findRequest, type SentRequest } from "../runtime/find-request.ts";
import type { Fork } from "../runtime/fork-run.ts";
import type { RunHandle, RunStream } from "../runtime/live-run.ts";
import { OpenRuns } from "../runtime/open-runs.ts";
import { type Replay, replayRun } from "../runtime/replay-run.ts";
import { GRACE_MS } from "../runtime/run-control.ts";
import { runCrew } from "../runtime/run-crew.ts";
import type { RunResult } from "../views/run-result.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { createRunId, type RunId, toRunId } from "../vocabulary/ids.ts";
import { whenReady } from "../vocabulary/promise.ts";
import { type BeginOptions, type BegunRun, beginStored, type StartRun } from "./begin-stored.ts";
import type { CheckedCrew } from "./checked-crew.ts";
import { type ContinuedRuns, continuedRuns, readStart } from "./continue-runs.ts";
import { type Conversation, type ConversationOptions, openConversation } from "./conversation.ts";
import { type CrewDefinition, readDefinition } from "./crew-definition.ts";
import { type CrewLearning, learningOn } from "./crew-learning.ts";
import type { CrewTypes, OptionsWith } from "./crew-types.ts";
import { type EnqueueOptions, enqueueRun } from "./enqueue-run.ts";
import { type PlanCrewOptions, planCrew } from "./plan-crew.ts";
import { readObject } from "./read-object.ts";
import { readQueue } from "./read-queue.ts";
import { startFork } from "./start-fork.ts";
import { withSubCrew } from "./with-sub-crew.ts";

/** A crew that can be run. */
export interface CrewHandle<Types extends CrewTypes = CrewTypes> extends CrewLearning, ContinuedRuns<Types> {
  /** The crew as plain data: agents, routing and settings, with names resolved and defaults filled in. */
  readonly definition: Crew;
  /** What loading found, warnings included. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Starts a run on an input: text, or `{ text, attachments }`. What fails in the run is a result with the status `failed`. If the run cannot begin, the handle's `result`
   * and `events` reject with a `BatonError` whose code is a `StartErrorCode`: `no-input`, `bad-option`, `no-model` and others.
   */
  start(input: CrewInput, ...options: OptionsWith<StartOptions, Types["context"]>): RunHandle<Types["object"]>;
  /**
   * Starts a run, and resolves when it is stored. With an idempotency key, a second call with the same request resolves to the same
   * run. Rejects with a `BatonError`: `idempotency-conflict` if the key was used for another request, or a `StartErrorCode`.
   */
  begin(input: CrewInput, ...options: OptionsWith<BeginOptions, Types["context"]>): Promise<BegunRun<Types["object"]>>;
  /**
   * Stores a run for a worker, and resolves to its id at once: `baton worker` begins it, or `baton serve` on a store that is a file. Rejects
   * with a `BatonError`: `missing-package`, `idempotency-conflict`, `store-denied` or a `StartErrorCode`.
   */
  enqueue(input: string, options?: EnqueueOptions): Promise<RunId>;
  /**
   * Makes ready what the crew's runs need: finds models and their keys, and imports tools. Runs do so by themselves; call it to know
   * before whether they can begin. Nothing is called. Rejects with a `BatonError` whose code is a `PreparationErrorCode`.
   */
  prepare(): Promise<void>;
  /**
   * Starts a run, and resolves with its result when it ends or pauses. Rejects with a `BatonError` whose code is a `StartErrorCode`:
   * `no-input`, `bad-option`, `no-model` and others.
   */
  run(input: CrewInput, ...options: OptionsWith<StartOptions, Types["context"]>): Promise<RunResult<Types["object"]>>;
  /**
   * Starts a run, and gives its events. A reader that stops early cancels the run. The events and `result` reject with a `BatonError`
   * whose code is a `StartErrorCode`: `no-input`, `bad-option`, `no-model` and others.
   */
  stream(input: CrewInput, ...options: OptionsWith<StartOptions, Types["context"]>): RunStream<Types["object"]>;
  /**
   * What a run can do and cost at worst, and what is likely: from the crew alone, its models' prices and its recorded runs. Rejects with
   * a `BatonError`: `bad-model` or a `StoreErrorCode`.
   */
  plan(input?: string, options?: PlanCrewOptions): Promise<Plan>;
  /**
   * Replays a run without calling anything: under the crew as it was, or as it is now. Rejects with a `BatonError`: `unknown-run` or a
   * `StoreErrorCode`.
   */
  replay(runId: string, options?: { readonly current?: boolean }): Promise<Replay>;
  /**
   * The request of a model call as it was sent: `seq` is the number of its `model.called` event. Nothing is called. Rejects with a
   * `BatonError`: `bad-option`, `unknown-run`, `crew-changed` or a `StoreErrorCode`.
   */
  readRequest(runId: string, seq: number): Promise<SentRequest>;
  /**
   * Starts a new run that shares the events of another one up to `fork.at`, and then goes its own way. The handle's `result` and
   * `events` reject with a `BatonError`: `bad-fork`, `script-too-short`, `unknown-run` or a `StartErrorCode`.
   */
  fork(runId: string, fork: Fork, ...options: OptionsWith<RunOptions, Types["context"]>): RunHandle<Types["object"]>;
  /**
   * A conversation by its id, new or known: each run of it begins where the one before ended, with what was said so far. With a
   * `user`, it is a conversation of that user: the same id of another user, or with another crew, is another conversation. With a
   * `history`, the caller keeps the thread: its next run sees these messages in place of what was said so far. Throws a `BatonError`
   * with the code `bad-session` if the text cannot be an id.
   */
  conversation(id: string, options?: ConversationOptions): Conversation<Types>;
  /** @deprecated The same as `conversation`; throws `bad-session`, too. */
  session(id: string): Conversation<Types>;
  /**
   * The same crew with one more sub-crew from code, to which its entry agent may delegate, or with another one in place of a sub-crew.
   * Throws a `ConfigurationError` with every problem of the sub-crew, or a `BatonError`: `ambiguous-tool`, `bad-definition` or `bad-option`.
   */
  withSubCrew<const Sub extends CrewDefinition>(name: string, definition: CheckedCrew<Sub>): CrewHandle<Types>;
  /**
   * Releases every run that this handle has under way, and starts no more. Turns under way finish with their tool calls within `graceMs`
   * (10 s). Then another process can continue each run with `recover`. The results have the status `running`. Never rejects: what
   * goes wrong in a run is in that run's result.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Makes a crew runnable. */
export function openCrew(definition: Crew, diagnostics: readonly Diagnostic[], given: CrewSetup): CrewHandle {
  const { store, clock = systemClock, tools = [], queues = [] } = given;
  refuseNamesakes(tools);
  const threads = createThreads(definition, given);
  const logs = store === undefined ? combineLogs(new MemoryLogs(), () => threads.opened?.logs) : threads.open().logs;
  const custom = { ...given.models?.custom };
  const models = { ...given.models, custom, readRun: (id: string) => logs.read(toRunId(id)) };
  const environment = { ...given, models, dayTotals: keepDayTotals(store) };
  const versions = new CrewVersions(definition, environment);
  const runs: OpenRuns = new OpenRuns({
    clock,
    cancelPaused: (id) => continued.cancel(id),
    readObject: (result) => readObject(result, definition, given.schemas),
  });
  const continued = continuedRuns({ definition, logs, versions, runs, clock, given });

  const start: StartRun = (input, options, createDocuments) => {
    return runs.open(createRunId(crypto.randomUUID()), options, (run) => {
      const { text, attachments } = readCrewInput(input);
      checkInputSize(text, definition);
      return runCrew(
        run,
        () => logs.begin(run.id, createDocuments?.(run.id)),
        (log) => {
          const queue = readQueue(options, definition, queues, clock);
          const planned = { runtime: versions.runtimeOn(options), ...(queue !== undefined && { queue }) };
          return whenReady(versions.startOn(text, options), (begun) =>
            withFiles(begun, attachments, log, planned.runtime, (start) => ({ ...planned, start })),
          );
        },
      );
    });
  };
  const forks = { definition, logs, versions, runs, clock, environment, custom, queues };
  const conversation = (id: string, { user, history }: ConversationOptions = {}) =>
    openConversation(id, { definition, ...threads.open(), versions, runs, clock, user, history, queues });
  return {
    definition,
    diagnostics,
    start: (input, options = {}) => start(input, options),
    begin: (input, options = {}) => beginStored(store, start, input, options),
    enqueue: (input, options = {}) => enqueueRun(store, definition.name, start, input, options),
    prepare: async () => void (await versions.current.prepare()),
    run: async (input, options = {}) => start(input, options).result,
    stream: (input, options = {}) => start(input, options).stream(),
    conversation,
    session: conversation,
    ...continued,
    plan: (input, options = {}) =>
      planCrew(definition, input, options, { store, variables: environment.models?.variables }),
    async replay(id, { current = false } = {}) {
      const events = await logs.read(toRunId(id));
      const begun = readStart(id, events);
      const crew = current ? definition : await versions.findOriginal(begun);
      return replayRun(fillVariables(crew, begun.variables ?? {}), begun, events, environment, current);
    },
    async readRequest(id, seq) {
      const events = await logs.read(toRunId(id));
      const begun = readStart(id, events);
      const crew = fillVariables(await versions.findOriginal(begun), begun.variables ?? {});
      return findRequest(crew, begun, events, seq, environment);
    },
    fork: (id, change, options = {}) => startFork(id, change, options, forks),
    close: ({ graceMs = GRACE_MS } = {}) => runs.close(graceMs),
    withSubCrew: (name, callee) =>
      // The expectation is inferred from the crew, which the compiler does not see.
      addSubCrew(definition, diagnostics, given, name, callee as unknown as CrewDefinition),
    ...learningOn(definition, store, environment.models?.variables),
  };
}

/** Where the runs of conversations are. */
interface Threads {
  readonly store: Store;
  readonly logs: RunLogs;
}

/** Conversations need a store: where the crew has none, theirs is in memory, from the first of them on. */
function createThreads(definition: Crew, { store, notify, leaseMs }: CrewSetup) {
  return {
    opened: undefined as Threads | undefined,
    open(): Threads {
      this.opened ??= openThreads(store ?? openMemoryStore());
      return this.opened;
    },
  };

  function openThreads(kept: Store): Threads {
    return { store: kept, logs: createStoredLogs(kept, createLearning(definition), notify, leaseMs) };
  }
}

function addSubCrew(
  crew: Crew,
  diagnostics: readonly Diagnostic[],
  given: CrewSetup,
  name: string,
  definition: CrewDefinition,
): CrewHandle {
  const read = readDefinition(definition, given.root);
  const tools = [...(given.tools ?? []), ...read.tools];
  const functions = { ...given.functions, ...placeKeys(name, read.functions) };
  const schemas = { ...given.schemas, ...placeKeys(name, read.schemas) };
  const models = { ...given.models, inPlace: { ...given.models?.inPlace, ...placeKeys(name, read.models) } };
  const extended = withSubCrew(crew, name, read.crew);
  return openCrew(extended, [...diagnostics, ...read.diagnostics], { ...given, tools, functions, schemas, models });
}

/** The same values under the names of agents of a sub-crew. */
function placeKeys<Value>(crew: string, values: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [joinPlace(crew, id), value]));
}
