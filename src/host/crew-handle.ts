import type { Crew } from "../crew.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { BatonError } from "../errors.ts";
import type { BatonEvent, EventOf, ResumeAnswer } from "../events.ts";
import { asRunId, createRunId, type RunId } from "../ids.ts";
import { type Clock, systemClock } from "../run/clock.ts";
import type { Store } from "../run/store.ts";
import { type RunResult, resultOf } from "../views/run-result.ts";
import { checkAnswer } from "./check-answer.ts";
import { changesBetween, copyOf, crewOfCopy } from "./crew-copy.ts";
import type { Start } from "./execute.ts";
import { keepInMemory } from "./keep-in-memory.ts";
import { keepInStore } from "./keep-in-store.ts";
import type { KeptRun } from "./keep-runs.ts";
import { createCrewRunner, type RunCrew, type RunEnvironment, type RunOptions } from "./run-crew.ts";
import { streamEvents } from "./stream-events.ts";

/** A crew that can be run. */
export interface CrewHandle {
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
}

/** How a run is taken up again, where the crew is not what it was. */
export interface ResumeOptions extends RunOptions {
  /** Goes on with the crew as it is now. */
  readonly acceptChanges?: boolean;
  /** Goes on with the crew as it was, of which the store has a copy. */
  readonly original?: boolean;
}

/** What a crew's runs need from outside; all of it has a default. */
export interface CrewEnvironment extends RunEnvironment {
  /** What `{{name}}` stands for in the agents' prompts. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Where runs are kept; without one, those that are paused are kept in memory for as long as the crew is. */
  readonly store?: Store;
}

/** Makes a crew runnable. */
export function openCrew(
  definition: Crew,
  diagnostics: readonly Diagnostic[],
  environment: CrewEnvironment,
): CrewHandle {
  const { store, variables = {} } = environment;
  const keeper = store === undefined ? keepInMemory() : keepInStore(store);
  const clock = environment.clock ?? systemClock;
  const runner = createCrewRunner(definition, variables, environment);
  const about = store === undefined ? async () => ({}) : aboutCrew(definition, variables, store);

  const begin = async (input: string, options: RunOptions): Promise<RunResult> => {
    const runId = createRunId(crypto.randomUUID());
    const start: Start = { input, ...(await about()) };
    return letGo(await keeper.begin(runId), (kept) => runner({ runId, start, kept }, options));
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
      return go(run, await runnerFor(run.start, options));
    });
  };
  const runnerFor = async (start: Start, options: ResumeOptions): Promise<RunCrew> => {
    const { fingerprint } = start;
    const isSame = fingerprint === undefined || store === undefined || fingerprint === copyOf(definition).fingerprint;
    const prompts = start.variables ?? variables;
    if (isSame && prompts === variables) return runner;
    if (isSame || options.acceptChanges) return createCrewRunner(definition, prompts, environment);
    const original = crewOfCopy((await store.get("crew", fingerprint))?.value);
    if (options.original) return createCrewRunner(original, prompts, environment);
    throw crewChanged(changesBetween(original, definition));
  };

  return {
    definition,
    diagnostics,
    run: (input, options = {}) => begin(input, options),
    stream: (input, options = {}) =>
      streamEvents((tell, left) => {
        const signal = options.signal === undefined ? left : AbortSignal.any([options.signal, left]);
        const onEvent = (event: BatonEvent) => {
          tell(event);
          return options.onEvent?.(event);
        };
        return begin(input, { ...options, signal, onEvent });
      }),
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
        return runIt(run, options);
      }),
    cancel: (id) =>
      takeUp(id, { original: true }, (run, runIt) => {
        if (resultOf(run.kept.events).endedAt !== undefined) throw notPaused(run);
        return runIt(run, { signal: AbortSignal.abort() });
      }),
  };
}

interface TakenRun {
  readonly runId: RunId;
  readonly start: Start;
  readonly kept: KeptRun;
  readonly last: BatonEvent;
}

/** What every run of a crew is started with, so that it can be taken up again: the copy of it is put into the store once. */
function aboutCrew(
  definition: Crew,
  variables: Readonly<Record<string, string>>,
  store: Store,
): () => Promise<Omit<Start, "input">> {
  let about: Omit<Start, "input"> | undefined;
  return async () => {
    if (about !== undefined) return about;
    const { fingerprint, value } = copyOf(definition);
    await store.put("crew", fingerprint, value, 0);
    about = { fingerprint, ...(Object.keys(variables).length > 0 && { variables }) };
    return about;
  };
}

async function letGo(kept: KeptRun, go: (kept: KeptRun) => Promise<RunResult>): Promise<RunResult> {
  try {
    return await go(kept);
  } finally {
    await kept.close();
  }
}

function takenRun(runId: RunId, kept: KeptRun): TakenRun {
  const [started] = kept.events;
  const last = kept.events.at(-1);
  if (started?.type !== "run.started" || last === undefined)
    throw new BatonError("unknown-run", `there is no run '${runId}'`);
  const { crew: _, ...start } = started.data;
  return { runId, start, kept, last };
}

function notPaused({ runId, kept }: TakenRun): BatonError {
  return new BatonError("not-paused", `run '${runId}' is not paused: it is ${resultOf(kept.events).status}`);
}

function notBroken({ runId, kept }: TakenRun): BatonError {
  return new BatonError("not-broken", `run '${runId}' did not break off: it is ${resultOf(kept.events).status}`);
}

function crewChanged(changes: readonly string[]): BatonError {
  const shown = changes.slice(0, 20).map((change) => `  ${change}`);
  const more = changes.length > shown.length ? [`  and ${changes.length - shown.length} more`] : [];
  const ways = "Go on with the crew as it is now (accept the changes), or with the original, of which a copy is kept.";
  return new BatonError(
    "crew-changed",
    ["the crew has changed since the run began:", ...shown, ...more, ways].join("\n"),
  );
}

/** The event that records an answer, where the run asked for it. */
export function answered(paused: EventOf<"run.paused">, answer: ResumeAnswer, clock: Clock): BatonEvent {
  const seq = (paused.seq ?? 0) + 1;
  return { ...paused, seq, id: `${paused.runId}.${seq}`, ts: clock.now(), type: "run.resumed", data: answer };
}
