import type { Crew } from "../crew.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { BatonError } from "../errors.ts";
import type { BatonEvent, ResumeAnswer } from "../events.ts";
import { asRunId, createRunId, type RunId } from "../ids.ts";
import { createSignalReader } from "../orchestration/read-signals.ts";
import { type Clock, systemClock } from "../run/clock.ts";
import { createDayTotals } from "../run/day-totals.ts";
import type { Tool } from "../tools/tool.ts";
import { type RunResult, resultOf } from "../views/run-result.ts";
import { checkAnswer } from "./check-answer.ts";
import { createWatcher } from "./create-watcher.ts";
import { deliverExternals, type ExternalHandler, refuseUnsigned } from "./deliver-external.ts";
import { execute } from "./execute.ts";
import { fillVariables } from "./fill-variables.ts";
import { type ModelSource, prepareModels } from "./prepare-models.ts";
import { prepareTools } from "./prepare-tools.ts";
import { refuseUnsupported } from "./refuse-unsupported.ts";
import { createRunsInMemory } from "./runs-in-memory.ts";

/** How a run is started, resumed or watched. */
export interface RunOptions {
  /** Stops the run at once. */
  readonly signal?: AbortSignal;
  /** Lets what is under way finish, and stops the run before its next model or tool call. */
  readonly stop?: AbortSignal;
  /** Told of external signals; what it returns for one that pauses is the response. */
  readonly onExternal?: ExternalHandler;
  /** Told of every event as it happens, those that are not kept included. */
  readonly onEvent?: (event: BatonEvent) => void;
}

/** A crew that can be run. */
export interface CrewHandle {
  readonly definition: Crew;
  readonly diagnostics: readonly Diagnostic[];
  /** Runs the crew on an input, to its end or its next pause. */
  run(input: string, options?: RunOptions): Promise<RunResult>;
  /** The same run, event by event; its result is what the last event says. */
  stream(input: string, options?: RunOptions): AsyncIterable<BatonEvent>;
  /** Goes on with a paused run. */
  resume(runId: string, answer: ResumeAnswer, options?: RunOptions): Promise<RunResult>;
}

/** What a crew's runs need from outside; all of it has a default. */
export interface CrewEnvironment {
  readonly clock?: Clock;
  /** Tools by name, besides those that the crew names. */
  readonly tools?: readonly Tool[];
  readonly models?: ModelSource;
  /** What `{{name}}` stands for in the agents' prompts. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Makes a crew runnable. Runs that are paused are kept in memory for as long as the handle is. */
export function openCrew(
  definition: Crew,
  diagnostics: readonly Diagnostic[],
  environment: CrewEnvironment,
): CrewHandle {
  const runs = createRunsInMemory();
  const clock = environment.clock ?? systemClock;
  const crew = fillVariables(definition, environment.variables ?? {});
  const readSignals = createSignalReader();
  const dayTotals = createDayTotals();
  const variables = environment.models?.variables ?? process.env;
  const prepare = once(async () => {
    refuseUnsupported(crew);
    refuseUnsigned(crew, variables);
    const models = await prepareModels(crew, { ...environment.models, variables }, clock);
    return { models, tool: await prepareTools(crew, environment.tools ?? []) };
  });

  async function go(
    runId: RunId,
    input: string,
    recorded: readonly BatonEvent[],
    options: RunOptions,
  ): Promise<RunResult> {
    if (typeof input !== "string") throw new BatonError("bad-input", `the input must be text, and is ${typeof input}`);
    const { models, tool } = await prepare();
    const events = [...recorded];
    const watcher = createWatcher(options.onEvent);
    const answer = events.at(-1);
    if (answer !== undefined) watcher.tell(answer);
    await execute(crew, input, {
      models,
      tool,
      external: deliverExternals(crew, options.onExternal, variables),
      readSignals,
      dayTotals,
      runId,
      clock,
      recorded,
      signal: options.signal,
      hasFailed: watcher.hasFailed,
      stop: options.stop,
      onEvent: (event) => {
        if (event.seq !== undefined) events.push(event);
        watcher.tell(event);
      },
    });
    const result = resultOf(events);
    runs.note(result, events);
    watcher.close();
    return result;
  }

  return {
    definition,
    diagnostics,
    run: (input, options = {}) => go(newRunId(), input, [], options),
    stream: (input, options = {}) =>
      streamOf((tell, left) => {
        const signal = options.signal === undefined ? left : AbortSignal.any([options.signal, left]);
        const onEvent = (event: BatonEvent) => {
          tell(event);
          options.onEvent?.(event);
        };
        return go(newRunId(), input, [], { ...options, signal, onEvent });
      }),
    resume: async (id, answer, options = {}) => {
      const { input, paused, events } = runs.take(asRunId(id));
      try {
        checkAnswer(paused.data, answer, crew);
        return await go(paused.runId, input, [...events, answered(paused, answer, clock)], options);
      } finally {
        runs.release(paused.runId);
      }
    },
  };
}

/** Does something when it is first asked for, and again only if that failed. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

function newRunId(): RunId {
  return createRunId(crypto.randomUUID());
}

/** The event that records an answer, where the run asked for it. */
export function answered(paused: BatonEvent, answer: ResumeAnswer, clock: Clock): BatonEvent {
  const seq = (paused.seq ?? 0) + 1;
  return { ...paused, seq, id: `${paused.runId}.${seq}`, ts: clock.now(), type: "run.resumed", data: answer };
}

/** Events as they come, for a reader that may be slower than the run; a reader that leaves stops it. */
async function* streamOf(
  start: (tell: (event: BatonEvent) => void, left: AbortSignal) => Promise<unknown>,
): AsyncIterable<BatonEvent> {
  const waiting: BatonEvent[] = [];
  const left = new AbortController();
  let wake = () => {};
  let isDone = false;
  const run = start((event) => {
    waiting.push(event);
    wake();
  }, left.signal).finally(() => {
    isDone = true;
    wake();
  });
  // A failure is thrown to the reader below; until then it is not unhandled.
  run.catch(() => {});
  try {
    while (!isDone || waiting.length > 0) {
      const event = waiting.shift();
      if (event !== undefined) yield event;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    await run;
  } finally {
    left.abort();
  }
}
